import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import type { Failure } from './dynalite.ts';
import { failure, ongoing, throttled, transactionCanceled } from './failures.ts';
import type { Reply } from './forward.ts';
import { isStreamAction } from './stream-calls.ts';

/** One call on the wire. `action` is DynamoDB's name of it, `PutItem` or `GetRecords`; `input` the parsed body. */
export type Call = {
  action: string;
  input: Record<string, unknown>;
  accessKeyId: string;
  headers: IncomingHttpHeaders;
};

/** A refusal: the IAM action and the ARN that were not allowed, who asked, and the end of AWS's sentence: why. */
export type Denial = { action: string; resource: string; principal?: string; reason?: string };

/**
 * What a test can make a call do. 'lose-response' executes the call and then destroys the socket, 'garble-response'
 * executes it and answers what nobody can read.
 */
export type Fault = 'throttle' | 'hang' | 'lose-response' | 'garble-response' | 'conflict' | 'garbage' | 'error';

/** DynamoDB takes no larger request. */
const MAX_BYTES = 16 * 1024 * 1024;
const JSON_TYPE = 'application/x-amz-json-1.0';

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw failure('com.amazon.coral.service#RequestEntityTooLargeException', '', {}, 413);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

export function parseCall({ headers }: IncomingMessage, body: Buffer): Call {
  const [version, action] = String(headers['x-amz-target'] ?? '').split('.');
  const service = action && isStreamAction(action) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
  if (version !== service || !action) {
    throw failure('com.amazon.coral.service#UnknownOperationException', '');
  }
  // The signature is not verified: the key alone says whose policies apply.
  const accessKeyId = /Credential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1];
  if (!accessKeyId) {
    throw failure(
      'com.amazon.coral.service#MissingAuthenticationTokenException',
      'Request is missing Authentication Token',
    );
  }
  return { action, input: parseInput(body), accessKeyId, headers };
}

function parseInput(body: Buffer): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(body.toString('utf8'));
    if (input && typeof input === 'object' && !Array.isArray(input)) return input as Record<string, unknown>;
  } catch {
    // Answered below, as AWS does.
  }
  throw failure('com.amazon.coral.service#SerializationException', 'Unexpected value type in payload');
}

export function send(response: ServerResponse, status: number, output: unknown, fault?: Fault): void {
  const body = Buffer.from(JSON.stringify(output));
  const headers = { 'content-type': JSON_TYPE, 'x-amz-crc32': crc32(body), 'x-amzn-requestid': randomUUID() };
  relay(response, { status, headers, body }, fault);
}

export function relay(response: ServerResponse, { status, headers, body }: Reply, fault?: Fault): void {
  if (fault === 'lose-response') {
    response.destroy();
    return;
  }
  if (fault === 'garble-response') {
    sendGarbage(response);
    return;
  }
  const { connection: _connection, 'keep-alive': _keep, 'transfer-encoding': _encoding, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': body.length }).end(body);
}

export function sendGarbage(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': JSON_TYPE }).end('<html>not JSON');
}

export function denied({ action, resource, principal = 'unknown', reason }: Denial): Failure {
  const sentence = `User: ${principal} is not authorized to perform: ${action} on resource: ${resource}`;
  const message = reason ? `${sentence} ${reason}` : sentence;
  return failure('com.amazon.coral.service#AccessDeniedException', message);
}

/** The error of an injected fault; undefined when the call has no such error, as a read that meets a transaction. */
export function faultOf(fault: 'throttle' | 'conflict' | 'error', { action, input }: Call): Failure | undefined {
  if (fault === 'error') return failure('InternalServerError', 'Internal server error', {}, 500);
  const isTransaction = action.startsWith('Transact');
  if (isTransaction) {
    const first =
      fault === 'conflict'
        ? { Code: 'TransactionConflict', Message: ongoing }
        : { Code: 'ThrottlingError', Message: throttled };
    const count = Array.isArray(input.TransactItems) ? input.TransactItems.length : 1;
    return transactionCanceled(Array.from({ length: count }, (_, i) => (i === 0 ? first : { Code: 'None' })));
  }
  if (fault === 'throttle') return failure('com.amazon.coral.availability#ThrottlingException', throttled);
  const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem'].includes(action);
  return isWrite ? failure('TransactionConflictException', ongoing) : undefined;
}
