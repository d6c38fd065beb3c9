import type { Provide } from '../local/functions/modules.ts';

/**
 * The SDK's clients, whose `send` asks the scheduler in place of the network. Commands, errors and the conversion of rows are
 * the SDK's own.
 */

/** A call that a client wants to make. */
export type Asked = {
  readonly service: string;
  readonly action: string;
  readonly input: Json;
  readonly maxAttempts: number;
  /** Milliseconds that one attempt waits for its answer. */
  readonly limitMs: number;
};

export type Ask = (asked: Asked) => Promise<unknown>;

type Command = {
  readonly input: Json;
  readonly constructor: { readonly name: string };
  /** Of a document command: the command that it stands for. */
  readonly clientCommand?: Command;
  addMarshallingMiddleware?(configuration: { readonly translateConfig: object }): void;
};
type Json = Record<string, unknown>;
type Next = (given: { readonly input: Json }) => Promise<{ output: unknown }>;
type Middleware = (next: Next, context: object) => Next;
type Config = {
  readonly maxAttempts?: number;
  readonly requestHandler?: { readonly requestTimeout?: number };
};
type Document = { readonly DynamoDBDocumentClient: { readonly prototype: object } };

/** @param native Node's `require`, which loads the SDK once for all environments */
export function sdkPackages(native: (specifier: string) => unknown) {
  // The SDK's own paginators ask whether a client is one of theirs.
  const { DynamoDBDocumentClient: Own } = native('@aws-sdk/lib-dynamodb') as Document;
  Object.setPrototypeOf(VirtualClient.prototype, Own.prototype);

  return (ask: Ask): Provide => {
    const made = new Map<string, unknown>();
    const packageFor = (specifier: string): unknown => {
      const base = native(specifier) as object;
      if (specifier === '@aws-sdk/lib-dynamodb') {
        const from = (client: VirtualClient, translation?: object) => client.translating(translation);
        return override(base, 'DynamoDBDocumentClient', { from });
      }
      const [, service] = /^@aws-sdk\/client-(.+)$/.exec(specifier) ?? [];
      if (service === undefined) return undefined;
      class Client extends VirtualClient {
        constructor(config: Config = {}) {
          super((action, input) => ask({ service: service as string, action, input, ...limitsOf(config) }), config);
        }
      }
      return override(base, clientIn(base), Client);
    };
    return (specifier) => {
      if (specifier === '@aws-sdk/s3-request-presigner') {
        return { getSignedUrl: async (_: unknown, { input }: Command) => `https://objects.test/${String(input.Key)}` };
      }
      if (specifier === '@aws-sdk/s3-presigned-post') {
        return {
          createPresignedPost: async (_: unknown, { Key }: { Key: string }) => ({
            url: 'https://objects.test/',
            fields: { key: Key },
          }),
        };
      }
      if (!specifier.startsWith('@aws-sdk/')) return undefined;
      if (!made.has(specifier)) made.set(specifier, packageFor(specifier));
      return made.get(specifier);
    };
  };
}

/** The name of the client's class in its package. */
export function clientIn(base: object): string {
  return Object.keys(base).find((name) => /^[A-Z]\w*Client$/.test(name)) ?? '';
}

function override(base: object, name: string, value: unknown): unknown {
  return Object.create(base, { [name]: { value, enumerable: true } });
}

class VirtualClient {
  readonly config: Config;
  readonly #ask: (action: string, input: Json) => Promise<unknown>;
  readonly #translation: object;
  readonly #middleware: Middleware[] = [];
  /** By the class of the command. */
  readonly #translators = new Map<object, Middleware[]>();
  readonly middlewareStack = {
    add: (middleware: Middleware) => {
      this.#middleware.push(middleware);
    },
  };

  constructor(ask: (action: string, input: Json) => Promise<unknown>, config: Config, translation = {}) {
    this.#ask = ask;
    this.config = config;
    this.#translation = translation;
  }

  translating(translation?: object): VirtualClient {
    return new VirtualClient(this.#ask, this.config, translation);
  }

  async send(command: Command): Promise<unknown> {
    const action = (command.clientCommand ?? command).constructor.name.replace(/Command$/, '');
    const last: Next = async ({ input }) => ({ output: await this.#ask(action, input) });
    const translators = this.#translators.get(command.constructor) ?? translatorsOf(command, this.#translation);
    this.#translators.set(command.constructor, translators);
    const all = [...this.#middleware, ...translators];
    const chain = all.reduceRight<Next>((next, middleware) => middleware(next, {}), last);
    return (await chain({ input: command.input })).output;
  }

  destroy(): void {}
}

function limitsOf({ maxAttempts = 3, requestHandler = {} }: Config) {
  return { maxAttempts, limitMs: requestHandler.requestTimeout ?? 1000 };
}

/** What the SDK itself puts around a document command: rows become attributes on their way, and rows again. */
function translatorsOf(command: Command, translateConfig: object): Middleware[] {
  if (!command.addMarshallingMiddleware) return [];
  const wire: Middleware = (next) => async (given) => {
    const { output } = await next({ input: sent(given.input) as Json });
    return { output: { $metadata: {}, ...received(output as object) } };
  };
  const found: Middleware[] = [];
  const middlewareStack = { addRelativeTo: (middleware: Middleware) => found.push(middleware) };
  const own: Command = Object.create(command, { clientCommand: { value: { middlewareStack } } });
  own.addMarshallingMiddleware?.({ translateConfig });
  return [...found, wire];
}

/** Bytes are base64 on their way, and so in the tables; numbers and texts are as they are. */
export function sent(value: object): object {
  return withBytes(value, (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : bytes));
}

export function received(value: object): object {
  return withBytes(value, (text) => (typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')) : text));
}

/** The same object where it has no bytes; without what is undefined. */
function withBytes(value: object, change: (bytes: unknown) => unknown): object {
  let copy: Json | undefined;
  for (const [name, part] of Object.entries(value)) {
    let next = name === 'B' ? change(part) : part;
    if (name === 'BS' && Array.isArray(part)) next = part.map(change);
    else if (next === part && typeof part === 'object' && part !== null) next = withBytes(part, change);
    if (next === part && part !== undefined) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Json;
    if (next === undefined) delete copy[name];
    else copy[name] = next;
  }
  return copy ?? value;
}
