"""The node: heed's body and talk as topics, and what others see and steer. Thin, over messages.py and links.py."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import PoseWithCovarianceStamped, TransformStamped, Twist
from nav_msgs.msg import Odometry
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Empty, String
from visualization_msgs.msg import Marker, MarkerArray

from bridge.ros2 import messages
from bridge.ros2.links import BodyLink, EyesLink, Look, TalkLink
from bridge.ros2.messages import OBJECTS, PEOPLE, Frames, Mark, TranslationError
from hw.state import HardwareError
from hw.state import Twist as BaseTwist

try:
    from tf2_msgs.msg import TFMessage
except ImportError:
    TFMessage = None

DIAGNOSTICS_SECONDS = 1.0
BEAT_SECONDS = 0.5
QUIET_SECONDS = 5.0
"""Between two warnings of the same kind."""
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
ANY = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Of what others repeat again and again: hears those who promise delivery, and those who do not."""
LATEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
"""The same, where only the last one counts."""
ALL = QoSProfile(depth=10)
STILL = BaseTwist()


class BridgeNode(Node):
    """Publishes what heed is, hears and says; passes on what others see, and how they steer."""

    def __init__(self, runtime: Path, name: str, frames: Frames, drives: bool, beat: Callable[[], None]) -> None:
        """`name` is the namespace of the topics; with `drives` velocities are passed on; `beat` is a sign of life."""
        super().__init__("bridge", namespace=name)
        self._frames = frames
        self._looked: Look | None = None
        self._stopped: bool | None = None
        self._steered = STILL
        self._joints = self.create_publisher(JointState, "joint_states", 10)
        self._odometry = self.create_publisher(Odometry, "odom", 10)
        self._diagnostics = self.create_publisher(DiagnosticArray, "/diagnostics", 10)
        self._stop_state = self.create_publisher(Bool, "stopped", LATCHED)
        self._wants_look = self.create_publisher(Empty, "look", 10)
        self._words = {kind: self.create_publisher(String, kind, 10) for kind in ("heard", "said")}
        self._tf = self.create_publisher(TFMessage, "/tf", 100) if TFMessage is not None and frames.published else None
        self._body = BodyLink(runtime, self._on_look)
        self._talk = TalkLink(runtime, self._on_words)
        self._eyes = EyesLink(runtime, lambda: self._wants_look.publish(Empty()))
        self._subscribe(drives)
        self.create_timer(DIAGNOSTICS_SECONDS, self._tell_diagnostics)
        self.create_timer(BEAT_SECONDS, beat)

    def start(self) -> None:
        """Begin to look for heed."""
        self._body.start()
        self._talk.start()

    def close(self) -> None:
        """Hang up, and end the node."""
        for link in (self._body, self._talk, self._eyes):
            link.close()
        self.destroy_node()

    def _subscribe(self, drives: bool) -> None:
        eyes, base = MutuallyExclusiveCallbackGroup(), MutuallyExclusiveCallbackGroup()
        for kind in (OBJECTS, PEOPLE):
            self._take(MarkerArray, f"see/{kind}", partial(self._see, kind), eyes, ANY)
        self._take(PoseWithCovarianceStamped, "see/base", self._see_base, eyes, ANY)
        self._take(String, "see/line", lambda told: self._tell_eyes(told.data.strip().encode() + b"\n"), eyes, ALL)
        if drives:
            self._take(Twist, "cmd_vel", self._steer, base, LATEST)

    def _take(self, kind: Any, topic: str, take: Callable[[Any], None], group: Any, quality: QoSProfile) -> None:
        """Have `take` called with each message; what means nothing to heed, or is refused, is a warning."""

        def taken(told: Any) -> None:
            try:
                take(told)
            except (TranslationError, HardwareError) as error:
                self.get_logger().warning(f"{topic}: {error}", throttle_duration_sec=QUIET_SECONDS)

        self.create_subscription(kind, topic, taken, quality, callback_group=group)

    # --- out; the first two in threads of the links ---

    def _on_look(self, look: Look | None) -> None:
        before, self._looked = self._looked, look
        stopped = messages.is_stopped(look)
        if stopped != self._stopped:
            self._stopped = stopped
            self._stop_state.publish(Bool(data=stopped))
        description = self._body.description
        if look is None or description is None:
            return
        stamp = self.get_clock().now().to_msg()
        joints = messages.joints(look.state, description)
        told = JointState(name=list(joints.names), position=list(joints.positions))
        told.header.stamp = stamp
        self._joints.publish(told)
        if description.get("base"):
            self._tell_base(messages.odometry(look, before), stamp)

    def _on_words(self, kind: str, text: str) -> None:
        self._words[kind].publish(String(data=text))

    def _tell_base(self, base: messages.Odometry, stamp: Any) -> None:
        told = Odometry(child_frame_id=self._frames.base)
        told.header.stamp, told.header.frame_id = stamp, self._frames.map
        told.pose.pose.position.x, told.pose.pose.position.y = base.x, base.y
        turned = told.pose.pose.orientation
        turned.x, turned.y, turned.z, turned.w = base.quaternion
        told.pose.covariance = base.covariance
        speed = told.twist.twist
        speed.linear.x, speed.linear.y, speed.angular.z = base.speed
        self._odometry.publish(told)
        if self._tf is not None and base.sure:
            moved = TransformStamped(header=told.header, child_frame_id=self._frames.base)
            moved.transform.translation.x, moved.transform.translation.y = base.x, base.y
            moved.transform.rotation = turned
            self._tf.publish(TFMessage(transforms=[moved]))

    def _tell_diagnostics(self) -> None:
        told = DiagnosticArray()
        told.header.stamp = self.get_clock().now().to_msg()
        for one in messages.diagnostics(self._looked, self._talk.status):
            values = [KeyValue(key=key, value=value) for key, value in one.values.items()]
            level = bytes([one.level])
            told.status.append(
                DiagnosticStatus(name=one.name, level=level, message=one.message, hardware_id="heed", values=values)
            )
        self._diagnostics.publish(told)

    # --- in ---

    def _steer(self, told: Any) -> None:
        linear, angular = told.linear, told.angular
        sideways = messages.goes_sideways(self._body.description)
        wanted = messages.twist((linear.x, linear.y, linear.z), (angular.x, angular.y, angular.z), sideways)
        if not any(wanted) and not any(self._steered):
            return  # a base that is kept at rest would be busy, and heed could not drive it
        if not self._talk.idle:
            self._steered = STILL
            raise TranslationError("not passed on: heed itself is working, or does not answer")
        self._body.drive(wanted)
        self._steered = wanted

    def _see(self, kind: str, told: Any) -> None:
        if not told.markers:
            return
        header = told.markers[0].header
        marks = [_mark(marker) for marker in told.markers if marker.action != Marker.DELETEALL]
        for line in messages.seen_lines(kind, self._when(header), self._frames.heeds(header.frame_id), marks):
            self._tell_eyes(line)

    def _see_base(self, told: Any) -> None:
        if self._frames.heeds(told.header.frame_id) != "map":
            raise TranslationError(f"where the base stands is told in the frame {self._frames.map!r}")
        at, turned = told.pose.pose.position, told.pose.pose.orientation
        quaternion = (turned.x, turned.y, turned.z, turned.w)
        self._tell_eyes(
            messages.base_line(self._when(told.header), (at.x, at.y, at.z), quaternion, told.pose.covariance)
        )

    def _when(self, header: Any) -> float:
        """Return the Unix seconds of a stamp; those of now where there is none."""
        seconds = header.stamp.sec + header.stamp.nanosec * 1e-9
        return float(seconds or self.get_clock().now().nanoseconds * 1e-9)

    def _tell_eyes(self, line: bytes) -> None:
        if not self._eyes.tell(line) or self._eyes.trouble:
            self.get_logger().warning(f"see: {self._eyes.trouble}", throttle_duration_sec=QUIET_SECONDS)


def _mark(marker: Any) -> Mark:
    at = marker.pose.position
    return Mark(marker.text, marker.ns, (at.x, at.y, at.z), marker.action == Marker.DELETE)
