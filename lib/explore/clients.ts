import type { Provide } from '../local/functions/modules.ts';

/**
 * The SDK's clients, whose `send` asks the scheduler in place of the network. Commands, errors and the conversion of rows are
 * the SDK's own.
 */

/** A call that a client wants to make. */
export type Asked = {
  readonly service: string;
  readonly action: string;
  readonly input: Record<string, unknown>;
  readonly maxAttempts: number;
  /** Milliseconds that one attempt waits for its answer. */
  readonly limitMs: number;
};

export type Ask = (asked: Asked) => Promise<unknown>;

type Command = { readonly input: Record<string, unknown>; readonly constructor: { readonly name: string } };
type Arguments = { input: Record<string, unknown> };
type Next = (given: Arguments) => Promise<{ output: unknown }>;
type Middleware = (next: Next) => Next;
type Config = {
  readonly maxAttempts?: number;
  readonly requestHandler?: { readonly requestTimeout?: number };
};

const documentActions: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  Query: 'Query',
  Scan: 'Scan',
  BatchGet: 'BatchGetItem',
  BatchWrite: 'BatchWriteItem',
  TransactGet: 'TransactGetItems',
  TransactWrite: 'TransactWriteItems',
};

/** The client's class in each package. */
const clientClasses: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'DynamoDBClient',
  '@aws-sdk/client-sqs': 'SQSClient',
  '@aws-sdk/client-sns': 'SNSClient',
  '@aws-sdk/client-sesv2': 'SESv2Client',
  '@aws-sdk/client-s3': 'S3Client',
  '@aws-sdk/client-kms': 'KMSClient',
  '@aws-sdk/client-lambda': 'LambdaClient',
  '@aws-sdk/client-eventbridge': 'EventBridgeClient',
  '@aws-sdk/client-cognito-identity-provider': 'CognitoIdentityProviderClient',
};

type Marshalling = {
  marshall(value: unknown, options?: object): Record<string, unknown>;
  unmarshall(value: unknown, options?: object): Record<string, unknown>;
};

/** @param native Node's `require`, which loads the SDK once for all environments */
export function sdkPackages(native: (specifier: string) => unknown) {
  const marshalling = native('@aws-sdk/util-dynamodb') as Marshalling;
  const bases = new Map<string, object>();

  return (ask: Ask): Provide => {
    const made = new Map<string, unknown>();
    const packageFor = (specifier: string): unknown => {
      if (!bases.has(specifier)) bases.set(specifier, native(specifier) as object);
      const base = bases.get(specifier) as object;
      const service = specifier.slice('@aws-sdk/client-'.length);
      if (specifier === '@aws-sdk/lib-dynamodb') {
        return override(base, {
          DynamoDBDocumentClient: documentClient(ask, marshalling),
          paginateQuery: paginated((base as Commands).QueryCommand),
          paginateScan: paginated((base as Commands).ScanCommand),
        });
      }
      const name = clientClasses[specifier];
      return name ? override(base, { [name]: plainClient(ask, service) }) : undefined;
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

function override(base: object, own: Record<string, unknown>): unknown {
  const descriptors = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]),
  );
  return Object.create(base, descriptors);
}

class VirtualClient {
  readonly config: Config;
  readonly #middleware: Middleware[] = [];
  readonly #send: Next;
  readonly middlewareStack = {
    add: (middleware: Middleware) => {
      this.#middleware.push(middleware);
    },
  };

  constructor(
    config: Config,
    send: (command: string, input: Record<string, unknown>, config: Config) => Promise<unknown>,
  ) {
    this.config = config;
    this.#send = async ({ input, command }: Arguments & { command?: string }) => ({
      output: await send(command ?? '', input, config),
    });
  }

  async send(command: Command): Promise<unknown> {
    const name = command.constructor.name.replace(/Command$/, '');
    const last: Next = (given) => this.#send({ ...given, command: name } as Arguments);
    const chain = this.#middleware.reduceRight<Next>((next, middleware) => middleware(next), last);
    return (await chain({ input: command.input })).output;
  }

  destroy(): void {}
}

function limitsOf({ maxAttempts = 3, requestHandler = {} }: Config) {
  return { maxAttempts, limitMs: requestHandler.requestTimeout ?? 1000 };
}

function plainClient(ask: Ask, service: string) {
  return class extends VirtualClient {
    constructor(config: Config = {}) {
      super(config, (action, input) => ask({ service, action, input, ...limitsOf(config) }));
    }
  };
}

function documentClient(ask: Ask, { marshall, unmarshall }: Marshalling) {
  return class extends VirtualClient {
    static from(client: { config: Config }, { unmarshallOptions = {}, marshallOptions = {} }: Translation = {}) {
      const into = (value: unknown) => sent(marshall(value, marshallOptions)) as Record<string, unknown>;
      const back = (value: unknown) => unmarshall(received(value), unmarshallOptions);
      return new VirtualClient(client.config, async (command, input, config) => {
        const action = documentActions[command];
        if (!action) throw new Error(`the explorer knows no DynamoDB ${command}`);
        const output = await ask({ service: 'dynamodb', action, input: converted(input, into), ...limitsOf(config) });
        return restored(output as Record<string, unknown>, back);
      });
    }
  };
}

/** Bytes are base64 on their way, and so in the tables; numbers and texts are as they are. */
export function sent(value: unknown): unknown {
  return converting(value, (bytes) => (bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : bytes));
}

export function received(value: unknown): unknown {
  return converting(value, (text) => (typeof text === 'string' ? new Uint8Array(Buffer.from(text, 'base64')) : text));
}

/** A map of attributes; the same one where it has no bytes. */
function converting(attributes: unknown, change: (bytes: unknown) => unknown): unknown {
  const given = attributes as Record<string, Attribute>;
  if (!Object.values(given).some(hasBytes)) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, convertedValue(value, change)]));
}

type Attribute = { B?: unknown; BS?: unknown[]; M?: Record<string, Attribute>; L?: Attribute[] };

function hasBytes({ B, BS, M, L }: Attribute): boolean {
  if (B !== undefined || BS !== undefined) return true;
  return M !== undefined ? Object.values(M).some(hasBytes) : L?.some(hasBytes) === true;
}

function convertedValue(value: Attribute, change: (bytes: unknown) => unknown): unknown {
  if (value.B !== undefined) return { B: change(value.B) };
  if (value.BS !== undefined) return { BS: value.BS.map(change) };
  if (value.M !== undefined) return { M: converting(value.M, change) };
  return value.L === undefined ? value : { L: value.L.map((each) => convertedValue(each, change)) };
}

type Commands = Record<'QueryCommand' | 'ScanCommand', new (input: Record<string, unknown>) => Command>;

/** The SDK's own paginators take only the SDK's own client. */
function paginated(Paged: Commands[keyof Commands]) {
  return async function* pages(
    { client, pageSize }: { client: VirtualClient; pageSize?: number },
    input: Record<string, unknown>,
  ) {
    let ExclusiveStartKey = input.ExclusiveStartKey;
    do {
      const Limit = input.Limit ?? pageSize;
      const page = (await client.send(new Paged({ ...input, Limit, ExclusiveStartKey }))) as Record<string, unknown>;
      yield page;
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
  };
}

type Translation = { readonly unmarshallOptions?: object; readonly marshallOptions?: object };
type Convert = (value: unknown) => Record<string, unknown>;

const maps = new Set(['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey']);
const inner = new Set(['Put', 'Update', 'Delete', 'Get', 'ConditionCheck', 'PutRequest', 'DeleteRequest']);

/** The rows and values of a request, as lib-dynamodb converts them. */
function converted(input: Record<string, unknown>, into: Convert): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined) continue;
    if (maps.has(name)) output[name] = into(value);
    else if (inner.has(name)) output[name] = converted(value as Record<string, unknown>, into);
    else if (name === 'Keys') output[name] = (value as unknown[]).map(into);
    else if (name === 'TransactItems')
      output[name] = (value as Record<string, unknown>[]).map((each) => converted(each, into));
    else if (name === 'RequestItems') output[name] = byTable(value as Record<string, unknown>, into);
    else output[name] = value;
  }
  return output;
}

function byTable(requests: Record<string, unknown>, into: Convert): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(requests).map(([table, wanted]) => [
      table,
      Array.isArray(wanted)
        ? wanted.map((each) => converted(each as Record<string, unknown>, into))
        : converted(wanted as Record<string, unknown>, into),
    ]),
  );
}

function restored(output: Record<string, unknown>, back: Convert): Record<string, unknown> {
  const { Item, Items, Attributes, LastEvaluatedKey, Responses, ConsumedCapacity: _, ...rest } = output;
  const responses = Array.isArray(Responses)
    ? Responses.map(({ Item: found }: { Item?: unknown }) => (found ? { Item: back(found) } : {}))
    : Responses &&
      Object.fromEntries(Object.entries(Responses).map(([table, items]) => [table, (items as unknown[]).map(back)]));
  return {
    $metadata: {},
    ...rest,
    ...(Item !== undefined && { Item: back(Item) }),
    ...(Items !== undefined && { Items: (Items as unknown[]).map(back) }),
    ...(Attributes !== undefined && { Attributes: back(Attributes) }),
    ...(LastEvaluatedKey !== undefined && { LastEvaluatedKey: back(LastEvaluatedKey) }),
    ...(responses !== undefined && { Responses: responses }),
  };
}
