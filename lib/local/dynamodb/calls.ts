import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';
import { type Denial, sentenceOf } from '../service/failure.ts';
import { type Fault as CommonFault, notJson } from '../service/faults.ts';
import { accessKeyOf, jsonObjectIn } from '../service/request.ts';
import type { Failure } from './dynalite.ts';
import { failure, ongoing, type Reason, throttled, transactionCanceled } from './failures.ts';
import type { Reply } from './forward.ts';
import { isStreamAction } from './stream-calls.ts';

/** One call on the wire. `action` is DynamoDB's name of it, `PutItem` or `GetRecords`; `input` the parsed body. */
export type Call = {
  action: string;
  input: Readonly<Record<string, unknown>>;
  accessKeyId: string;
  headers: IncomingHttpHeaders;
};

/**
 * 'conflict' is the conflict of two transactions; 'garble-response' executes the call and sends an unreadable answer.
 */
export type Fault = CommonFault | 'conflict' | 'garble-response';

/** DynamoDB takes no larger request. */
export const maximumBytes = 16 * 1024 * 1024;
const JSON_TYPE = 'application/x-amz-json-1.0';

export function parseCall(request: IncomingMessage, body: Buffer): Call {
  const { headers } = request;
  const [version, action] = String(headers['x-amz-target'] ?? '').split('.');
  const service = action && isStreamAction(action) ? 'DynamoDBStreams_20120810' : 'DynamoDB_20120810';
  if (version !== service || !action) {
    throw failure('com.amazon.coral.service#UnknownOperationException', '');
  }
  const accessKeyId = accessKeyOf(request);
  if (accessKeyId === null) {
    throw failure(
      'com.amazon.coral.service#MissingAuthenticationTokenException',
      'Request is missing Authentication Token',
    );
  }
  const input = jsonObjectIn(body);
  if (!input) throw failure('com.amazon.coral.service#SerializationException', 'Unexpected value type in payload');
  return { action, input, accessKeyId, headers };
}

export function send(response: ServerResponse, status: number, output: unknown): void {
  const body = Buffer.from(JSON.stringify(output));
  const headers = { 'content-type': JSON_TYPE, 'x-amz-crc32': crc32(body), 'x-amzn-requestid': randomUUID() };
  relay(response, { status, headers, body });
}

export function relay(response: ServerResponse, { status, headers, body }: Reply): void {
  const { connection: _connection, 'keep-alive': _keep, 'transfer-encoding': _encoding, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': body.length }).end(body);
}

export const garbage = { contentType: JSON_TYPE, body: notJson };

export function denied(denial: Denial): Failure {
  return failure('com.amazon.coral.service#AccessDeniedException', sentenceOf(denial));
}

export function tooLarge(): Failure {
  return failure('com.amazon.coral.service#RequestEntityTooLargeException', '', {}, 413);
}

export function throttledBy({ action, input }: Call): Failure {
  if (action.startsWith('Transact')) return canceledBy({ Code: 'ThrottlingError', Message: throttled }, input);
  return failure('com.amazon.coral.availability#ThrottlingException', throttled);
}

/** Undefined if the call has no such error, for example a read outside a transaction. */
export function conflictOf({ action, input }: Call): Failure | undefined {
  if (action.startsWith('Transact')) return canceledBy({ Code: 'TransactionConflict', Message: ongoing }, input);
  const isWrite = ['PutItem', 'UpdateItem', 'DeleteItem'].includes(action);
  return isWrite ? failure('TransactionConflictException', ongoing) : undefined;
}

export const internal = () => failure('InternalServerError', 'Internal server error', {}, 500);

function canceledBy(first: Reason, { TransactItems }: Call['input']): Failure {
  const count = Array.isArray(TransactItems) ? TransactItems.length : 1;
  return transactionCanceled(Array.from({ length: count }, (_, i) => (i === 0 ? first : { Code: 'None' })));
}

/** AWS's error for a signature with another secret. */
export function signatureInvalid(): Failure {
  return failure(
    'com.amazon.coral.service#InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.',
  );
}
