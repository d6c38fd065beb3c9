import * as nodeCrypto from 'node:crypto';
import type { Globals, Provide } from '../local/functions/modules.ts';
import { randomOf } from './random.ts';

/** Clock, timers and randomness of one execution environment, all in virtual time. */

/** What the environment asks of the world around it. */
export type Surroundings = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly addTimer: (ms: number, fire: () => void) => number;
  readonly removeTimer: (id: number) => void;
  readonly write: (line: string) => void;
  readonly variables: Readonly<Record<string, string>>;
};

export type EnvironmentGlobals = {
  readonly globals: Globals;
  readonly builtIn: Provide;
  /** Begins the random numbers of an invocation: they follow from it, and not from what ran before. */
  readonly seed: (text: string) => void;
};

/** Modules of Node that neither wait nor reach outside. */
const harmless = new Set([
  'node:util',
  'node:path',
  'node:url',
  'node:buffer',
  'node:async_hooks',
  'node:stream',
  'node:zlib',
  'node:os',
  'node:querystring',
  'node:assert',
  'node:events',
  'node:process',
]);

export function environmentGlobals({ now, addTimer, removeTimer, write, variables }: Surroundings): EnvironmentGlobals {
  let random = randomOf('init');
  const VirtualDate = dateOf(now);
  const bytes = (size: number) => {
    const made = Buffer.allocUnsafe(size);
    for (let index = 0; index < size; index += 1) made[index] = random() * 256;
    return made;
  };
  const uuid = () => {
    const hex = bytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  const integer = (low: number, high?: number) =>
    high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low));
  const setTimer = (fire: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const id = addTimer(ms, () => fire(...given));
    return { id, unref: () => undefined, ref: () => undefined, hasRef: () => false, [Symbol.toPrimitive]: () => id };
  };
  const clearTimer = (timer: { id: number } | number | undefined) => {
    if (timer !== undefined && timer !== null) removeTimer(typeof timer === 'number' ? timer : timer.id);
  };
  const sleep = (ms = 0, value?: unknown) => new Promise((resolve) => addTimer(ms, () => resolve(value)));
  const refuse = (name: string) => () => {
    throw new Error(`${name} would wait for something that the explorer does not decide`);
  };
  const crypto = Object.assign(Object.create(nodeCrypto) as object, {
    randomUUID: uuid,
    randomBytes: bytes,
    randomInt: integer,
  });
  const hrtime = (): [number, number] => [Math.floor(now() / 1000), (now() % 1000) * 1_000_000];
  const globals: Globals = {
    Date: VirtualDate,
    Math: Object.create(Math, { random: { value: () => random() } }),
    setTimeout: setTimer,
    clearTimeout: clearTimer,
    setInterval: refuse('setInterval'),
    clearInterval: clearTimer,
    setImmediate: (fire: (...given: unknown[]) => void, ...given: unknown[]) => setTimer(fire, 0, ...given),
    clearImmediate: clearTimer,
    process: {
      env: variables,
      hrtime,
      versions: process.versions,
      version: process.version,
      platform: process.platform,
      emitWarning: () => undefined,
      on: () => undefined,
      nextTick: process.nextTick,
      stdout: { write: (line: string) => write(line) },
    },
    performance: { now },
    // The limit of a call is an outcome that the scheduler chooses; so the signal itself never fires.
    AbortSignal: Object.assign(Object.create(AbortSignal) as object, {
      timeout: (ms: number) => Object.assign(new AbortController().signal, { limitMs: ms }),
      any: AbortSignal.any.bind(AbortSignal),
      abort: AbortSignal.abort.bind(AbortSignal),
    }),
    crypto: {
      randomUUID: uuid,
      getRandomValues: (array: Uint8Array) => {
        array.set(bytes(array.length));
        return array;
      },
    },
    fetch: refuse('fetch'),
    console: { log: write, info: write, warn: write, error: write, debug: () => undefined },
    globalThis,
  };
  const timers = { setTimeout: setTimer, clearTimeout: clearTimer };
  const builtIn: Provide = (specifier) => {
    if (specifier === 'node:crypto') return crypto;
    if (specifier === 'node:timers/promises') return { setTimeout: sleep };
    if (specifier === 'node:timers') return timers;
    if (specifier.startsWith('node:') && !harmless.has(specifier)) return refusing(specifier);
    return undefined;
  };
  return {
    globals,
    builtIn,
    seed: (text) => {
      random = randomOf(text);
    },
  };
}

function dateOf(now: () => number): DateConstructor {
  class VirtualDate extends Date {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(now());
      else super(...(given as [number]));
    }
    static override now(): number {
      return now();
    }
    /** Each environment has a class of its own, and a value may pass from one module to another. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Object.prototype.toString.call(value) === '[object Date]';
    }
  }
  return VirtualDate as unknown as DateConstructor;
}

/** Loads, as its functions may never be called, and fails by name where one is. */
function refusing(specifier: string): unknown {
  return new Proxy(
    {},
    {
      get: (_, name) => {
        if (name === '__esModule' || name === 'default' || typeof name === 'symbol') return undefined;
        return () => {
          throw new Error(`${specifier} ${name} would wait for something that the explorer does not decide`);
        };
      },
    },
  );
}
