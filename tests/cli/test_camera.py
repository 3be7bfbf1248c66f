"""`heed eyes sheet | calibrate | look` with pictures instead of a camera, and what the doctor says of a camera."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench.body.drawn_pictures import Conditions, Painter
from bench.body.drawn_room import LENS, camera, robot_with_eyes
from camera.calibration import Board
from camera.lens import load_lens
from camera.mount import Mount
from daemon.cli.camera import Options, use_camera
from daemon.cli.doctor_body import eyes, has_camera
from daemon.cli.finding import Verdict
from daemon.config import BodyConfig, Config, ServiceConfig
from daemon.service.control import CommandError
from tests.camera.tagged import painter, standing
from tests.camera.test_calibration import CAMERA, Sheet, many
from tests.camera.tiny_detector import TOML, write_tiny_detector


@pytest.fixture
def config(tmp_path: Path) -> Config:
    robot = robot_with_eyes(tmp_path, "juice")
    runtime = ServiceConfig(runtime_directory=str(tmp_path))
    return replace(Config(), body=BodyConfig(robot=str(robot)), service=runtime, folder=tmp_path)


def run(action: str, config: Config, **options: object) -> str:
    told: list[str] = []
    use_camera(action, replace(Options(), **options), config, told.append)
    return "\n".join(told)


def test_a_sheet_is_written_and_says_what_to_measure(tmp_path: Path, config: Config) -> None:
    assert "measure a black square" in run("sheet", config, out=tmp_path / "t.pdf", ids="0-3,7", size=30.0)
    assert (tmp_path / "t.pdf").read_bytes().startswith(b"%PDF")
    run("sheet", config, out=tmp_path / "b.svg", board=True)
    assert (tmp_path / "b.svg").read_text().startswith("<svg")
    for options in ({"ids": "all"}, {"ids": "600"}, {"size": 500.0}, {"ids": "0-99", "out": tmp_path / "t.svg"}):
        with pytest.raises(CommandError):
            run("sheet", config, **{"out": tmp_path / "t.pdf", **options})


def test_a_look_tells_of_each_stage_and_draws_what_it_found(tmp_path: Path, config: Config) -> None:
    described = camera("juice")
    cv2.imwrite(str(tmp_path / "picture.png"), painter(described).picture([standing(described.things[0], 0.5, 0.1)]))
    told = run("look", config, out=tmp_path / "out.png")
    for stage in ("picture  fine", "tags     ", "sees     juice: 0.5", "m left", "took "):
        assert stage in told
    assert cv2.imread(str(tmp_path / "out.png")).shape == (960, 1280, 3)


def test_a_look_without_a_picture_or_a_lens_says_what_to_do(tmp_path: Path, config: Config) -> None:
    with pytest.raises(CommandError, match="no picture"):
        run("look", config)
    cv2.imwrite(str(tmp_path / "picture.png"), np.full((960, 1280), 3, dtype=np.uint8))
    (tmp_path / "robot.lens.json").unlink()
    told = run("look", config)
    assert "too dark" in told
    assert "heed eyes calibrate lens" in told


@pytest.mark.whole
def test_lens_and_mount_are_calibrated_from_pictures(tmp_path: Path, config: Config) -> None:
    folder = tmp_path / "views"
    folder.mkdir()
    paints = Painter(LENS, CAMERA, Conditions(blur=0.7, noise=3.0))
    for number, sheet in enumerate(many()[:7]):
        cv2.imwrite(str(folder / f"{number}.png"), paints.picture([sheet]))
    assert "off by 0." in run("calibrate", config, what="lens", pictures=folder)
    assert load_lens(tmp_path / "robot.lens.json").fx == pytest.approx(LENS.fx, rel=0.02)

    class Lying(Sheet):
        def corners(self):
            for id in Board().ids:
                right, up, _ = Board().corners(id).T
                yield id, np.column_stack([0.60 + up, -right, np.full(4, 0.72)])

    mounted = Painter(LENS, Mount((0.12, 0.0, 1.28), 0.75), Conditions())
    cv2.imwrite(str(tmp_path / "sheet.png"), mounted.picture([Lying((0, 0, 0))]))
    with pytest.raises(CommandError, match="where the sheet lies"):
        run("calibrate", config, what="mount", pictures=tmp_path / "sheet.png")
    told = run("calibrate", config, what="mount", pictures=tmp_path / "sheet.png", at=(0.6, 0.0, 0.72))
    assert "mount = { position = [0.1" in told
    small = run("calibrate", config, what="mount", pictures=tmp_path / "sheet.png", at=(0.6, 0.0, 0.72), square=27.0)
    assert "1.22" in small  # nearer to what is smaller
    with pytest.raises(CommandError, match="not this board's"):
        run("calibrate", config, what="mount", pictures=tmp_path / "sheet.png", at=(0.6, 0.0, 0.72), square=0.03)


def test_the_doctor_says_what_a_camera_lacks(tmp_path: Path, config: Config) -> None:
    assert has_camera(config)
    assert not has_camera(Config())
    missing = eyes(config)
    assert (missing.verdict, "not there" in missing.what) == (Verdict.FAIL, True)
    (tmp_path / "picture.png").touch()
    assert eyes(config).verdict is Verdict.OK
    robot, described = Path(config.body.robot), Path(config.body.robot).read_text()
    robot.write_text(described.partition("[[eyes.wall]]")[0])
    assert "wheels drift" in eyes(config).what
    robot.write_text(described.partition("[[eyes.tag]]")[0])
    assert "no thing carries a tag" in eyes(config).what
    robot.write_text(described)
    (tmp_path / "robot.checks.json").write_text('[{"at": 1.0, "arm": "left", "off": [0.02, 0.0, 0.0]}]')
    assert "20 mm apart" in eyes(config).what
    (tmp_path / "robot.checks.json").write_text('[{"at": 1.0, "arm": "left", "off": [0.002, 0.0, 0.0]}]')
    assert eyes(config).verdict is Verdict.OK
    vision = config.models_directory / "vision"
    vision.mkdir(parents=True)
    write_tiny_detector(vision, TOML.replace("yolov8", "yolov0"))
    assert "layout is yolov5" in eyes(config).what
    (vision / "tiny.toml").unlink()
    (tmp_path / "robot.lens.json").write_text("{}")
    assert eyes(config).to_do == "run: heed eyes calibrate lens"
    robot.write_text(described.replace("fps = 20", 'fps = "20"'))
    assert "fps is a number" in eyes(config).what


def test_the_simulated_robot_has_no_camera() -> None:
    with pytest.raises(CommandError, match="no camera"):
        run("look", Config())
