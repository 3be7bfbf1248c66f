// What the page does: reads what happens as it happens, draws it, and sends what people want.
// No library, no build. Text from the robot only ever becomes text (textContent), never HTML.

const RECONNECT = 500 // milliseconds before the first attempt; doubled each time
const RECONNECT_AT_MOST = 5000
const SILENT = 25000 // the server says something at least every ten seconds: after this the connection is gone
const STEPS = 500
const PLACE = 0.55 // metres: how large a table is drawn
const $ = id => document.getElementById(id)

const token = tokenFromLink()
let after = '' // RUN-NUMBER of the last step that was shown
let run = ''

addEventListener('hashchange', () => location.reload()) // a new link was opened in this window
connect()
$('say').addEventListener('submit', event => {
  event.preventDefault()
  const text = $('text').value.trim()
  if (text) command('say', {text}).then(done => done && ($('text').value = ''))
})
$('swap').addEventListener('submit', event => {
  event.preventDefault()
  command('use_model', {file: $('models').value})
})
for (const name of ['resume', 'pause', 'cancel']) $(name).addEventListener('click', () => command(name))
$('stop').addEventListener('pointerdown', () => stop()) // on press, not on release: a stop is not a gesture
$('stop').addEventListener('keydown', event => ['Enter', ' '].includes(event.key) && !event.repeat && stop())

function stop() {
  command('stop', {reason: 'the button on the page'})
}

// --- who we are ---

function tokenFromLink() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    localStorage.setItem('heed', given)
    history.replaceState(null, '', location.pathname)
  }
  return localStorage.getItem('heed') || ''
}

async function ask(path, options = {}) {
  return fetch(path, {...options, cache: 'no-store', headers: {Authorization: 'Bearer ' + token}})
}

async function command(name, fields = {}, quiet = false) {
  return post('api/' + name, JSON.stringify(fields), quiet)
}

async function post(path, body, quiet = false) { // quiet: what was told before stays where all is well
  try {
    const response = await ask(path, {method: 'POST', body})
    const answer = await response.json()
    if (!response.ok || !quiet) tell(response.ok ? '' : [answer.error, answer.hint].filter(Boolean).join(' — '))
    return response.ok ? answer : null
  } catch {
    tell('heed did not hear that: the connection is lost')
    return null
  }
}

function tell(text) {
  $('answer').textContent = text
}

// --- what happens ---

async function connect() {
  let pause = RECONNECT
  for (;;) {
    try {
      await follow(() => (pause = RECONNECT))
    } catch (error) {
      if (error.refused) return linked(error.message, true)
    }
    linked('connection lost, trying again', true)
    await new Promise(resolve => setTimeout(resolve, pause))
    pause = Math.min(2 * pause, RECONNECT_AT_MOST)
  }
}

async function follow(onNews) {
  const gone = new AbortController()
  let timer = setTimeout(() => gone.abort(), SILENT)
  const response = await ask('api/events?after=' + after, {signal: gone.signal})
  if (response.status === 403) throw Object.assign(new Error((await response.json()).error), {refused: true})
  if (!response.ok) throw new Error('busy')
  linked('live', false)
  let rest = ''
  for await (const text of texts(response.body)) {
    clearTimeout(timer)
    timer = setTimeout(() => gone.abort(), SILENT)
    onNews()
    const events = (rest + text).split('\n\n')
    rest = events.pop()
    events.forEach(take)
  }
  clearTimeout(timer)
}

async function* texts(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const {done, value} = await reader.read()
    if (done) return
    yield value
  }
}

function take(event) {
  const fields = Object.fromEntries(event.split('\n').filter(line => line[0] !== ':').map(line => line.split(/: (.*)/)))
  if (!fields.event) return
  const data = JSON.parse(fields.data)
  if (fields.id) after = fields.id
  ;({hello, step: showStep, hearing: showHearing, state: showState, scene: showScene})[fields.event]?.(data)
}

function linked(text, lost) {
  $('link').textContent = text
  $('link').classList.toggle('lost', lost)
}

function hello(data) {
  if (data.run !== run) $('steps').replaceChildren() // heed was started again
  run = data.run
  showLessons()
  showModels()
  showPicture()
}

// --- the picture of the room, where there is one ---

const PICTURE = 1000 // milliseconds between two of them
const LATER = 5000 // milliseconds after which one is asked for again where there was none
let looking = false
$('room').addEventListener('toggle', showPicture)

async function showPicture() {
  if (looking) return
  looking = true
  try {
    do {
      const response = await ask('api/picture')
      const seen = response.status === 200
      $('room').hidden &&= !seen
      $('picture').classList.toggle('old', !seen)
      if (seen) {
        URL.revokeObjectURL($('picture').src)
        $('picture').src = URL.createObjectURL(await response.blob())
      }
      await new Promise(resolve => setTimeout(resolve, seen ? PICTURE : LATER))
    } while (($('room').open || $('room').hidden) && !document.hidden)
  } catch {
    // the connection is gone; hello() begins again
  } finally {
    looking = false
  }
}

async function showThing(name) {
  const response = await ask('api/picture?of=' + encodeURIComponent(name))
  $('thing').hidden = response.status !== 200
  if ($('thing').hidden) return
  URL.revokeObjectURL($('thing').src)
  $('thing').src = URL.createObjectURL(await response.blob())
  $('thing').alt = $('thing').title = name
}

document.addEventListener('visibilitychange', () => ($('room').open || $('room').hidden) && showPicture())

// --- the conversation ---

function showStep(step) {
  if (step.kind === 'walk') return showWalk(step)
  const steps = $('steps')
  const atEnd = steps.scrollHeight - steps.scrollTop - steps.clientHeight < 60
  const failed = step.kind === 'result' && /^[A-Za-z]*(Error|Interrupt): /.test(step.text)
  steps.append(element('li', step.text, failed ? step.kind + ' failed' : step.kind))
  if (step.speaker) steps.lastChild.title = step.speaker
  while (steps.children.length > STEPS) steps.firstChild.remove()
  if (atEnd) steps.scrollTop = steps.scrollHeight
}

function showHearing({text, confidence}) {
  $('hearing').textContent = text && `${text} … (${Math.round(100 * confidence)} %)`
}

function showWalk(walk) {
  const row = element('tr')
  const seconds = value => (value == null ? '–' : value.toFixed(2) + ' s')
  row.append(element('td', walk.text), ...[walk.first_answer, walk.thought, walk.acted, walk.whole].map(
    value => element('td', seconds(value))))
  const body = $('walks').tBodies[0]
  body.prepend(row)
  while (body.children.length > 20) body.lastChild.remove()
}

// --- the robot ---

let lessons = -1
let brain = ''

function showState(state) {
  const doing = state.doing === 'waiting' ? 'waits for you' : 'does: ' + (state.request || '…')
  $('doing').textContent = doing + (state.ear === 'listening' ? ', listens' : '')
  const trouble = state.stopped ? 'Stopped: ' + state.stopped : state.paused ? 'Paused' : state.trouble || ''
  $('banner').hidden = !trouble
  $('banner').textContent = trouble
  $('faults').replaceChildren(...(state.faults || []).map(
    fault => element('li', `${fault.component} ${fault.code}: ${fault.detail} ${fault.hint}`)))
  showBody(state)
  robot = state
  draw()
  if (state.lessons !== lessons) showLessons()
  if (state.brain !== brain) showModels()
  lessons = state.lessons
  brain = state.brain
}

function showBody(state) {
  const rows = []
  const degrees = radians => ((radians * 180) / Math.PI).toFixed(0) + '°'
  if (state.base) {
    const {x, y, theta} = state.base
    rows.push(['base', state.body?.base, `${x.toFixed(2)} m, ${y.toFixed(2)} m, ${degrees(theta)}`])
  }
  for (const [name, arm] of Object.entries(state.arms || {})) {
    const gripper = `gripper ${(1000 * arm.gripper).toFixed(0)} mm`
    rows.push([name, state.body?.[name], arm.joints.map(degrees).join(' ') + ', ' + gripper])
  }
  $('body').replaceChildren(...rows.map(cells => {
    const row = element('tr')
    row.append(...cells.map((cell, column) => element(column ? 'td' : 'th', cell || '')))
    return row
  }))
}

// --- the scene, from above ---

let scene = {locations: [], objects: []}
let robot = {}

function showScene(observation) {
  scene = observation
  draw()
}

function draw() {
  const places = scene.locations.filter(place => place.surface || place.handle)
  const points = [
    ...scene.locations.map(place => place.approach),
    ...places.map(place => place.surface || place.handle),
    ...scene.objects.map(thing => thing.position),
    ...(robot.base ? [[robot.base.x, robot.base.y]] : []),
  ]
  if (!points.length) return
  const xs = points.map(point => point[0])
  const ys = points.map(point => -point[1])
  const left = Math.min(...xs) - 0.5
  const top = Math.min(...ys) - 0.5
  const box = [left, top, Math.max(...xs) + 0.5 - left, Math.max(...ys) + 0.5 - top]
  $('scene').setAttribute('viewBox', box.map(value => value.toFixed(3)).join(' '))
  $('scene').replaceChildren(...places.flatMap(drawPlace), ...spots().flatMap(drawSpot),
    ...scene.objects.flatMap(drawThing), ...drawRobot())
}

function spots() {
  return scene.locations.filter(place => !place.surface && !place.handle)
}

function drawPlace(place) {
  const things = thingsAt(place)
  const points = [place.surface || place.handle, ...things.map(thing => thing.position)]
  const [x, y] = [0, 1].map(axis => points.reduce((sum, point) => sum + point[axis], 0) / points.length)
  const open = place.door === 'open' ? ' open' : ''
  const names = things.map((thing, line) => label(x, -y + PLACE / 2 + 0.12 * (line + 1), told(thing)))
  return [
    shape('rect', {class: 'place' + open, x: x - PLACE / 2, y: -y - PLACE / 2, width: PLACE, height: PLACE, rx: 0.05}),
    label(x, -y - PLACE / 2 - 0.04, place.door ? `${place.name} (${place.door})` : place.name),
    ...names,
  ]
}

function thingsAt(place) {
  return scene.objects.filter(thing => thing.location === place.name && !thing.held_by)
}

function drawSpot(place) {
  const [x, y] = place.approach
  return [shape('circle', {class: 'place', cx: x, cy: -y, r: 0.06}), label(x, -y + 0.2, place.name)]
}

function told(thing) {
  if (thing.held_by) return `${thing.name} (${thing.held_by} hand)`
  return thing.present === false ? `${thing.name}, ${ago(thing.age)}` : thing.name
}

function ago(seconds) {
  const [size, unit] = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']].find(([size]) => seconds >= size) || [1, 's']
  return `${Math.floor(seconds / size)} ${unit} ago`
}

function drawThing(thing) {
  const [x, y] = thing.position
  const hidden = thing.visible === false || thing.present === false
  const dot = shape('circle', {class: 'thing' + (hidden ? ' hidden' : ''), cx: x, cy: -y, r: 0.045})
  dot.addEventListener('click', () => showThing(thing.name))
  const lies = scene.locations.some(place => thingsAt(place).includes(thing) && (place.surface || place.handle))
  return lies ? [dot] : [dot, label(x, -y + 0.15, told(thing))]
}

function drawRobot() {
  if (!robot.base) return []
  const {x, y, theta} = robot.base
  const group = shape('g', {transform: `translate(${x} ${-y}) rotate(${(-theta * 180) / Math.PI})`})
  group.append(shape('circle', {class: 'robot', r: 0.2}), shape('path', {class: 'nose', d: 'M.17 0 L.06 .07 L.06 -.07 Z'}),
    ...Object.values(robot.arms || {}).map(arm => shape('circle', {class: 'tip', cx: arm.tip[0], cy: -arm.tip[1], r: 0.035})))
  return [group, ...drawUncertainty(x, y)]
}

function drawUncertainty(x, y) {
  const seen = scene.base_seen
  if (robot.localised === false) return [label(x, -y + 0.35, 'where it stands is not known')]
  if (!seen) return []
  const text = `tags: ± ${seen.sigma_mm.toFixed(0)} mm, ${ago(seen.age)}`
  return [shape('circle', {class: 'sure', cx: x, cy: -y, r: 0.2 + (3 * seen.sigma_mm) / 1000}), label(x, -y + 0.35, text)]
}

function label(x, y, text) {
  const drawn = shape('text', {x, y})
  drawn.textContent = text
  return drawn
}

function shape(name, attributes) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  return made
}

// --- memory and models ---

let shown = ''

async function showLessons() {
  const answer = await command('lessons')
  if (!answer || shown === JSON.stringify(answer)) return // nothing is exchanged under anybody's finger
  shown = JSON.stringify(answer)
  $('lessons').replaceChildren(...answer.lessons.map(lesson => {
    const active = lesson.status === 'active'
    const item = element('li')
    const rule = element('span', lesson.rule, active ? '' : 'gone')
    rule.title = `${lesson.id}: taught by ${lesson.taught_by || 'somebody'}, applies to ${lesson.applies_to}`
    const button = element('button', active ? 'Forget' : 'Restore')
    button.addEventListener('click', () => command(active ? 'forget' : 'restore', {id: lesson.id}).then(showLessons))
    item.append(rule, button)
    return item
  }))
  if (!answer.lessons.length) $('lessons').append(element('li', 'nothing was taught yet'))
}

async function showModels() {
  const answer = await command('models')
  if (!answer) return
  $('models').replaceChildren(...answer.models.map(model => {
    const option = element('option', model.file + (model.problem ? ` (${model.problem})` : ''))
    option.value = model.file
    option.disabled = Boolean(model.problem)
    option.selected = model.used
    return option
  }))
}

// --- heed setup robot and heed setup voice, as in a terminal ---

const LOOK = 500 // milliseconds between two looks at the conversation
let settingUp = 0
let runs = false // heed ends what no page looks at any more
$('setup').addEventListener('toggle', () => $('setup').open && setup({}))
for (const what of ['robot', 'voice']) $('begin-' + what).addEventListener('click', () => setup({do: 'begin', what}))
$('end').addEventListener('click', () => setup({do: 'end'}))
$('reply').addEventListener('submit', event => {
  event.preventDefault()
  if ($('word').disabled) return // Enter alone is an answer, but only to a question
  setup({do: 'answer', text: $('word').value})
  $('word').value = ''
})

async function setup(fields) {
  clearTimeout(settingUp)
  const state = await command('setup', fields, !fields.do)
  if (state) showSetup(state)
  clearTimeout(settingUp)
  if (runs) settingUp = setTimeout(() => setup({}), LOOK)
}

function showSetup(state) {
  if ($('told').textContent !== state.text) {
    $('told').textContent = state.text
    $('told').scrollTop = $('told').scrollHeight
  }
  for (const id of ['word', 'enter']) $(id).disabled = !state.asks
  for (const id of ['begin-robot', 'begin-voice']) $(id).disabled = state.runs
  $('end').disabled = !state.runs
  runs = state.runs
}

// --- hold to talk ---

let recorder = null
let holding = false

$('hold').addEventListener('pointerdown', async event => {
  event.preventDefault()
  holding = true
  try {
    const stream = await navigator.mediaDevices.getUserMedia({audio: true})
    recorder = new MediaRecorder(stream)
  } catch {
    return tell('this browser offers no microphone here: it wants https, or a page on the same machine')
  }
  const parts = []
  recorder.ondataavailable = part => parts.push(part.data)
  recorder.onstop = () => send(new Blob(parts))
  if (!holding) return release() // let go before the browser had asked
  recorder.start()
  $('hold').classList.add('recording')
})
for (const name of ['pointerup', 'pointercancel', 'pointerleave']) $('hold').addEventListener(name, () => {
  holding = false
  if (recorder?.state === 'recording') recorder.stop()
  release()
})

function release() {
  recorder?.stream.getTracks().forEach(track => track.stop())
  $('hold').classList.remove('recording')
}

async function send(recording) {
  const RATE = 16000
  const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await recording.arrayBuffer())
  const samples = Int16Array.from(sound.getChannelData(0), value => Math.max(-1, Math.min(1, value)) * 32767)
  const answer = await post('api/speech', samples)
  if (answer) tell(answer.text ? '' : 'that was not understood')
}

function element(name, text = '', kind = '') {
  const made = document.createElement(name)
  made.textContent = text
  if (kind) made.className = kind
  return made
}
