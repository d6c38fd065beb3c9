import { AsyncLocalStorage } from 'node:async_hooks';
import { Console } from 'node:console';
import { relative } from 'node:path';
import { Writable } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';
import { formatMessagesSync, type TransformFailure } from 'esbuild';
import type { Patience } from '../patience.ts';
import type { InnerAnswer, InnerRequest } from '../service/service.ts';
import { innerCalls, type Limits } from './inner-calls.ts';
import { answer, type Handler, initFailure, lengthenLimits, loadHandler, uncaught } from './lambda.mjs';
import { forget, type Globals, globalNames, mapped, openModules, type Provide } from './modules.ts';
import { ending } from './result.ts';

/**
 * A thread that holds execution environments of functions. Packages are evaluated once, the project's modules afresh for each
 * environment, with its own variables, output, timers and clients.
 */

export type ThreadData = { readonly root: string; readonly patience: Patience };

export type Opening = {
  readonly arn: string;
  readonly variables: Readonly<Record<string, string>>;
  /** The origins of services that the host reaches without a socket. */
  readonly inner: readonly string[];
};

export type ToThread =
  | ({ readonly kind: 'open'; readonly id: number } & Opening)
  | {
      readonly kind: 'invoke';
      readonly id: number;
      readonly requestId: string;
      readonly deadline: number;
      readonly event: string;
    }
  | { readonly kind: 'kill'; readonly id: number }
  | { readonly kind: 'ping' }
  /** Null: the connection was closed. */
  | { readonly kind: 'reply'; readonly call: number; readonly answer: InnerAnswer | null }
  | { readonly kind: 'changed'; readonly files: readonly string[]; readonly entries: readonly string[] };

/**
 * `R`: loaded. `Q`: how many invocations have begun. `S`: an answer. `F`: a report of an error. `I`: a report of what could not be loaded.
 * `X`: the environment has ended, with a report. `O`: output.
 */
export type FromThread =
  | { readonly kind: 'R' | 'S' | 'F' | 'I' | 'X' | 'O' | 'Q'; readonly id: number; readonly text: string }
  | { readonly kind: 'pong' }
  | { readonly kind: 'call'; readonly call: number; readonly origin: string; readonly request: InnerRequest }
  | { readonly kind: 'changed'; readonly reaching: readonly string[] }
  | { readonly kind: 'broken'; readonly error: string };

const { root, patience } = workerData as ThreadData;
const port = parentPort as NonNullable<typeof parentPort>;
const say = (message: FromThread) => port.postMessage(message);
const inner = innerCalls((call, origin, request) => say({ kind: 'call', call, origin, request }));
const within = new AsyncLocalStorage<Held>();
const environments = new Map<number, Held>();
/** A new one each time: what waits for one that stays would stay with it. */
const never = () => new Promise<never>(() => undefined);

// Before a package keeps the timers as they are.
if (patience.factor !== 1) lengthenLimits(patience);
// By name as in a process, in place of the lines of what was compiled.
Error.prepareStackTrace = (error, frames) =>
  mapped(root, [String(error), ...frames.map((frame) => `    at ${frame}`)].join('\n'));

type Modules = ReturnType<typeof openModules>;
let modules = fresh();

function fresh(): Modules {
  return openModules(root, { globals: named({}), provide: () => undefined });
}

function named(more: Partial<Globals>): Globals {
  const own = Object.fromEntries(globalNames.map((name) => [name, Reflect.get(globalThis, name) as unknown]));
  return { ...(own as Globals), ...more };
}

// What all environments see. Prototypes stay as they are: an object cannot have a name that is frozen in its prototype.
const shared = 'Date Math JSON Object Array String Number Promise Map Set AbortSignal Buffer Intl URL Reflect RegExp';
for (const name of shared.split(' ')) Object.freeze(Reflect.get(globalThis, name));

/** One execution environment. */
class Held {
  isDead = false;
  readonly id: number;
  readonly opening: Opening;
  #handler: Handler | null = null;
  #begun = 0;

  constructor(id: number, opening: Opening) {
    this.id = id;
    this.opening = opening;
  }

  readonly log = (line: string) => this.#say('O', `${line}\n`);

  async open(): Promise<void> {
    const { variables } = this.opening;
    try {
      const globals = this.#globals();
      const loaded = modules.environment(globals, this.#provide(globals));
      this.#handler = await loadHandler(variables, async (file) => {
        const module = loaded(file);
        // What Lambda waits for at init, in place of a top-level await.
        await module.ready;
        return module;
      });
      this.#say('R', '');
    } catch (error) {
      this.#end('I', initFailure(error, this.log));
    }
  }

  async invoke(order: { requestId: string; deadline: number; event: string }): Promise<void> {
    this.#begun += 1;
    this.#say('Q', String(this.#begun));
    const { arn, variables } = this.opening;
    const to = { log: this.log, say: (kind: 'S' | 'F', bytes: Buffer) => this.#say(kind, bytes.toString()) };
    if (this.#handler) await answer(this.#handler, variables, { arn, ...order }, to);
  }

  fail(error: unknown, isRejection = false): void {
    if (!this.isDead) this.#end('X', uncaught(error, isRejection, this.log));
  }

  kill(): void {
    this.isDead = true;
    environments.delete(this.id);
  }

  #end(kind: 'I' | 'X', report: object): void {
    this.#say(kind, JSON.stringify(report));
    this.kill();
  }

  #say(kind: 'R' | 'S' | 'F' | 'I' | 'X' | 'O' | 'Q', text: string): void {
    if (!this.isDead) say({ kind, id: this.id, text });
  }

  #exits(how: string): () => never {
    return () => {
      this.#end('X', ending(how));
      throw new Error('the execution environment has ended');
    };
  }

  #globals(): Globals {
    const output = Object.assign(
      new Writable({
        decodeStrings: false,
        write: (chunk, _encoding, done) => {
          this.#say('O', String(chunk));
          done();
        },
      }),
      { isTTY: false },
    );
    const guarded =
      (run: (...given: unknown[]) => void) =>
      (...given: unknown[]) => {
        if (this.isDead) return;
        try {
          run(...given);
        } catch (error) {
          this.fail(error);
        }
      };
    const interval = (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
      const made = setInterval(() => (this.isDead ? clearInterval(made) : guarded(run)(...given)), ms);
      return made;
    };
    const exit = (code = 0) => this.#exits(`Runtime exited with error: exit status ${code}`)();
    const own = {
      env: { ...this.opening.variables },
      ...{ stdout: output, stderr: output, exit },
      ...{ abort: this.#exits('signal: SIGABRT'), kill: this.#exits('signal: killed') },
      on: () => own,
    };
    const described = Object.entries(own).map(([name, value]) => [name, { value, writable: true, enumerable: true }]);
    const globals = {
      setTimeout: (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
        setTimeout(guarded(run), ms, ...given),
      setInterval: interval,
      setImmediate: (run: () => void, ...given: unknown[]) => setImmediate(guarded(run), ...given),
      process: Object.create(process, Object.fromEntries(described)) as object,
      console: new Console(output),
      fetch: (...given: Parameters<typeof fetch>) => (this.isDead ? never() : fetch(...given)),
    };
    return named({ ...globals, globalThis: Object.assign(Object.create(globalThis) as object, globals) });
  }

  /** The SDK's clients, with this environment's place and credentials: the packages would read those of the thread. */
  #provide({ process: own }: Globals): Provide {
    const { variables } = this.opening;
    const { AWS_REGION: region, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = variables;
    const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
    return (specifier) => {
      const [, service] = /^@aws-sdk\/client-(.+)$/.exec(specifier) ?? [];
      if (service === undefined) return specifier === 'node:process' ? own : undefined;
      const base = modules.native(specifier) as Record<string, SdkClient>;
      const name = Object.keys(base).find((each) => /^[A-Z]\w*Client$/.test(each)) ?? '';
      const endpoint = variables[`AWS_ENDPOINT_URL_${service.toUpperCase().replaceAll('-', '_')}`];
      const ended = () => this.isDead;
      const Base = base[name] as SdkClient;
      const isInner = endpoint !== undefined && this.opening.inner.includes(endpoint);
      class Client extends Base {
        constructor(config: ClientConfig = {}) {
          const requestHandler = isInner
            ? { requestHandler: { handle: inner.handler(endpoint, config.requestHandler), destroy: () => undefined } }
            : {};
          super({ region, credentials, ...(endpoint !== undefined && { endpoint }), ...config, ...requestHandler });
          const { handle } = this.config.requestHandler;
          // Whatever still runs of it reaches nobody.
          this.config.requestHandler.handle = (...given) =>
            ended() ? never() : handle.call(this.config.requestHandler, ...given);
        }
      }
      return Object.create(base, { [name]: { value: Client, enumerable: true } }) as unknown;
    };
  }
}

type ClientConfig = { readonly requestHandler?: Limits };
type Handle = (...given: never[]) => Promise<unknown>;
type SdkClient = new (config: object) => { readonly config: { readonly requestHandler: { handle: Handle } } };

/** An error that nobody caught, of whichever environment it is. */
function attribute(error: unknown, isRejection: boolean): void {
  const held = within.getStore();
  if (held) held.fail(error, isRejection);
  // Of nobody: the thread cannot go on.
  else throw error;
}
process.on('uncaughtException', (error) => attribute(error, false));
process.on('unhandledRejection', (error) => attribute(error, true));

port.on('message', (message: ToThread) => {
  if (message.kind === 'ping') return say({ kind: 'pong' });
  if (message.kind === 'changed') return adopt(message);
  if (message.kind === 'reply') return inner.answered(message.call, message.answer);
  if (message.kind === 'open') {
    const held = new Held(message.id, message);
    environments.set(message.id, held);
    return void within.run(held, () => held.open());
  }
  const held = environments.get(message.id);
  if (!held) return;
  if (message.kind === 'kill') return held.kill();
  void within.run(held, () => held.invoke(message));
});

/** With the line of the source, where it does not compile. */
function inWords(error: unknown): string {
  const { message, cause } = error as Error;
  const { errors = [] } = (cause ?? {}) as Partial<TransformFailure>;
  if (errors.length === 0) return message;
  const shown = errors.map((each) => {
    const { location } = each;
    return location ? { ...each, location: { ...location, file: relative(root, location.file) } } : each;
  });
  return formatMessagesSync(shown, { kind: 'error', color: false }).join('\n');
}

/** New environments get the changed files. */
function adopt({ files, entries }: ToThread & { kind: 'changed' }): void {
  const takeBack = forget(files);
  const next = fresh();
  try {
    const changed = new Set(files);
    const reaching = entries.filter((entry) => [...next.dependencies(entry)].some((file) => changed.has(file)));
    modules = next;
    say({ kind: 'changed', reaching });
  } catch (error) {
    takeBack();
    say({ kind: 'broken', error: inWords(error) });
  }
}
