'use strict'
// Makes packages of npm answer lines: the first argument is `@gd-com/utils`, `gd-com` or `godot-binary-serialization`.
// Their tables of types are that of Godot 3; `@gd-com/utils` has arrays of 64-bit numbers in between.

const readline = require('readline')

const [peer, direction] = process.argv.slice(2)
const codec = require(peer)

const GODOT_3 = [
  'Nil', 'bool', 'int', 'float', 'String', 'Vector2', 'Rect2', 'Vector3', 'Transform2D', 'Plane', 'Quaternion', 'AABB',
  'Basis', 'Transform3D', 'Color', 'NodePath', 'RID', 'Object', 'Dictionary', 'Array', 'PackedByteArray',
  'PackedInt32Array', 'PackedFloat32Array', 'PackedStringArray', 'PackedVector2Array', 'PackedVector3Array',
  'PackedColorArray'
]
const WIDE = [
  ...GODOT_3.slice(0, 22), 'PackedInt64Array', 'PackedFloat32Array', 'PackedFloat64Array', ...GODOT_3.slice(23)
]
const TYPES = peer === '@gd-com/utils' ? WIDE : GODOT_3
const REALS = ['Vector2', 'Rect2', 'Vector3', 'Transform2D', 'Plane', 'Quaternion', 'AABB', 'Basis', 'Transform3D', 'Color']

class Skip extends Error {}

// What each package reads, by its documentation.
const NOT_READ = {
  '@gd-com/utils': ['RID', 'Object'],
  'gd-com': ['RID', 'Object', 'NodePath'],
  'godot-binary-serialization': ['RID', 'Object', ...GODOT_3.slice(20)]
}[peer]

const read = {
  '@gd-com/utils': bytes => codec.getVar(bytes),
  'gd-com': bytes => codec.getVar(bytes),
  'godot-binary-serialization': bytes => ({ value: codec.PacketPeer.get_var(bytes) })
}[peer]

const write = {
  '@gd-com/utils': (value, type) => codec.putVar(value, type),
  'gd-com': value => codec.putVar(value),
  'godot-binary-serialization': value => codec.PacketPeer.put_var(value)
}[peer]

function bits (number, length) {
  const buffer = Buffer.alloc(length)
  if (length === 4) buffer.writeFloatBE(number)
  else buffer.writeDoubleBE(number)
  return buffer.toString('hex')
}

function numbers (value) {
  if (typeof value === 'number') return [value]
  return Object.values(value).flatMap(numbers)
}

// The class of a value, as the packages name it.
function className (value) {
  const name = value.constructor.name.replace(/^Godot/, '').replace(/Aabb/i, 'AABB')
  return { Quat: 'Quaternion', Transform: 'Transform3D' }[name] || name
}

// The tagged JSON of a value. `name` is its type, if the header says it.
function described (value, name) {
  if (value === null || value === undefined) return { type: 'Nil', value: null }
  if (typeof value === 'boolean') return { type: 'bool', value }
  if (typeof value === 'bigint') return { type: 'int', value: String(value) }
  if (typeof value === 'number') {
    const isInteger = name === 'int' || (name === undefined && Number.isInteger(value))
    // A number that no int has can only be described as a float.
    return isInteger && Math.abs(value) < 2 ** 63 ? { type: 'int', value: String(BigInt(value)) } : { type: 'float', value: bits(value, 8) }
  }
  if (typeof value === 'string') {
    if (name !== 'NodePath') return { type: 'String', value }
    const [path, ...subnames] = value.split(':')
    const names = path.split('/').filter(part => part !== '')
    return { type: name, value: { absolute: path.startsWith('/'), names, subnames } }
  }
  if (Buffer.isBuffer(value)) return { type: 'PackedByteArray', value: value.toString('hex') }
  if (value.constructor.name === 'Long') return { type: 'int', value: value.toString() }
  if (REALS.includes(name)) return { type: name, value: numbers(value).map(number => bits(number, 4)) }
  if (Array.isArray(value)) {
    switch (name) {
      case 'PackedByteArray': return { type: name, value: Buffer.from(value).toString('hex') }
      case 'PackedInt32Array':
        if (value.some(number => number !== (number | 0))) return { type: 'Array', value: value.map(member => described(member)) }
        return { type: name, value }
      case 'PackedStringArray': return { type: name, value }
      case 'PackedInt64Array': return { type: name, value: value.map(String) }
      case 'PackedFloat32Array': return { type: name, value: value.map(number => bits(number, 4)) }
      case 'PackedFloat64Array': return { type: name, value: value.map(number => bits(number, 8)) }
      case 'PackedVector2Array': case 'PackedVector3Array': case 'PackedColorArray':
        return { type: name, value: value.map(vector => numbers(vector).map(number => bits(number, 4))) }
      default: return { type: 'Array', value: value.map(member => described(member)) }
    }
  }
  const kind = className(value)
  if (REALS.includes(kind)) {
    return { type: kind, value: numbers(value).map(number => bits(number, 4)) }
  }
  if (kind === 'NodePath') {
    return { type: kind, value: { absolute: value._absolute, names: value._name, subnames: value._subname } }
  }
  const entries = Object.entries(value).map(([key, member]) => [described(key), described(member)])
  return { type: 'Dictionary', value: entries }
}

// The value for the package, and its type for the one that asks for it.
function native (tagged, outermost) {
  const { type, value } = tagged
  switch (type) {
    case 'Nil': case 'bool': case 'String': return value
    case 'int':
      if (!Number.isSafeInteger(Number(value))) throw new Skip('ints above 2^53 are not numbers of JavaScript')
      return Number(value)
    case 'float': {
      const number = Buffer.from(value, 'hex').readDoubleBE()
      if (Number.isInteger(number) && !(outermost && peer === '@gd-com/utils')) {
        throw new Skip('floats without a fraction are ints in JavaScript')
      }
      return number
    }
    case 'PackedByteArray':
      if (peer !== '@gd-com/utils') break
      return Buffer.from(value, 'hex')
    case 'Array':
      if (tagged.element_type) break
      return value.map(member => native(member, false))
    case 'Dictionary': {
      if (tagged.key_type || tagged.value_type) break
      if (peer === 'godot-binary-serialization') break
      const made = {}
      for (const [key, member] of value) {
        if (key.type !== 'String' || Number.isInteger(Number(key.value))) throw new Skip('keys are strings')
        made[key.value] = native(member, false)
      }
      return made
    }
    case 'NodePath': {
      if (peer !== 'godot-binary-serialization') break
      const parts = value.names.join('/') + value.subnames.map(name => ':' + name).join('')
      return codec.misc.NodePath.from ? codec.misc.NodePath.from((value.absolute ? '/' : '') + parts) : skipped(type)
    }
    default:
  }
  if (REALS.includes(type)) {
    const components = value.map(digits => Buffer.from(digits, 'hex').readFloatBE())
    if (peer === 'godot-binary-serialization') {
      const names = { Quaternion: 'Quat', Transform3D: 'Transform' }
      const kind = codec.math[names[type] || type] || codec.misc[type]
      return kind.from(components)
    }
    const shapes = {
      Vector2: ([x, y]) => new codec.GodotVector2(x, y),
      Vector3: ([x, y, z]) => new codec.GodotVector3(x, y, z),
      Color: ([r, g, b, a]) => new codec.GodotColor(r, g, b, a)
    }
    if (peer === '@gd-com/utils' && outermost && shapes[type]) return shapes[type](components)
  }
  return skipped(type)
}

function skipped (type) {
  throw new Skip(`${type} is not written`)
}

function decode (line) {
  const bytes = Buffer.from(line, 'hex')
  const id = bytes.length >= 4 ? bytes.readUInt8() : undefined
  const name = TYPES[id]
  if (NOT_READ.includes(name)) return { skip: `${name} is not read` }
  const { value, length } = read(bytes)
  return { ok: described(value, name), used: length }
}

function encode (line) {
  const tagged = JSON.parse(line)
  const names = { Nil: 'NULL', int: 'INTEGER' }
  const type = codec.TYPE && codec.TYPE[names[tagged.type] || tagged.type.toUpperCase()]
  return { ok: write(native(tagged, true), type).toString('hex') }
}

readline.createInterface({ input: process.stdin }).on('line', line => {
  let answer
  try {
    answer = direction === 'decode' ? decode(line) : encode(line)
  } catch (error) {
    answer = error instanceof Skip ? { skip: error.message } : { error: `${error.name}: ${error.message}` }
  }
  console.log(JSON.stringify(answer))
})
