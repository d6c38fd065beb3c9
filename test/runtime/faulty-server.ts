import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What came in, but for what differs in every request: dates, signatures, ids. */
export type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string };

/** One answer for each try, the last of them for all that follow. */
export type Fault = readonly Reply[];
type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-requestid': 'request', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

const xml =
  (status: number, body: string): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/xml', 'x-amz-request-id': 'request' }).end(body);

const named = (name: string, more: object = {}) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...more });
const item = json(200, {
  Item: { id: { S: 'a' }, count: { N: '12' }, bytes: { B: 'AQI=' }, list: { L: [{ NULL: true }] } },
});
const anHourAgo = () => new Date(Date.now() - 3_600_000).toUTCString();
const snsError = (code: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>no</Message></Error><RequestId>request</RequestId></ErrorResponse>`;

export const faults = {
  none: [item],
  condition: [json(400, named('ConditionalCheckFailedException', { message: 'no', Item: { id: { S: 'a' } } }))],
  canceled: [
    json(
      400,
      named('TransactionCanceledException', {
        Message: 'no',
        CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { id: { S: 'a' } } }],
      }),
    ),
  ],
  throttledOnce: [json(400, named('ProvisionedThroughputExceededException', { message: 'slow' })), item],
  throttled: [json(400, named('ThrottlingException', { message: 'slow' }))],
  busyOnce: [json(503, 'busy', { 'retry-after': '0' }), item],
  broken: [json(500, named('InternalServerError', { message: 'oops' }))],
  page: [(response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>bad gateway</html>')],
  unknown: [json(400, named('InventedYesterdayException', { message: 'new', detail: 7 }))],
  denied: [json(400, { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'not authorized' })],
  expired: [json(400, { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'expired' })],
  skewed: [
    json(
      400,
      { __type: 'com.amazon.coral.service#InvalidSignatureException', message: 'Signature expired' },
      { date: anHourAgo() },
    ),
    item,
  ],
  malformed: [json(200, '{"Item":')],
  empty: [json(400, '')],
  reset: [(response) => response.socket?.destroy()],
  resetOnce: [(response) => response.socket?.destroy(), item],
  silent: [() => {}],
  cut: [
    (response) =>
      response.writeHead(200, { 'content-length': '100' }).write('{"Item":', () => response.socket?.destroy()),
  ],
  published: [xml(200, '<PublishResponse><PublishResult><MessageId>m1</MessageId></PublishResult></PublishResponse>')],
  disabled: [xml(400, snsError('EndpointDisabled'))],
  snsThrottled: [xml(400, snsError('Throttled'))],
  snsUnknown: [xml(400, snsError('InventedYesterday'))],
  sent: [
    json(200, { Successful: [{ Id: '0', MessageId: 'm1' }], Failed: [{ Id: '1', Code: 'x', SenderFault: false }] }),
  ],
  noQueue: [
    json(
      400,
      { __type: 'com.amazonaws.sqs#QueueDoesNotExist', message: 'no' },
      { 'x-amzn-query-error': 'AWS.SimpleQueueService.NonExistentQueue;Sender' },
    ),
  ],
  refused: [json(400, { __type: 'NotAuthorizedException', message: 'Incorrect username or password.' })],
  signedIn: [json(200, { AuthenticationResult: { AccessToken: 't', ExpiresIn: 900 }, ChallengeParameters: {} })],
  signed: [json(200, { KeyId: 'k', Signature: 'AQIDBA==', SigningAlgorithm: 'ECDSA_SHA_256' })],
  keyDisabled: [json(400, { __type: 'DisabledException', message: 'disabled' })],
  eventsPut: [json(200, { FailedEntryCount: 1, Entries: [{ ErrorCode: 'ThrottlingException' }, { EventId: 'e' }] })],
  object: [
    (response) => response.writeHead(200, { etag: '"e"', 'content-length': '5', 'x-amz-meta-kind': 'k' }).end('hello'),
  ],
  noObject: [xml(404, '<Error><Code>NoSuchKey</Code><Message>no</Message><Key>k</Key></Error>')],
  stored: [(response) => response.writeHead(200, { etag: '"e"' }).end()],
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** Answers `/<who>/<fault>/…` with that fault, and keeps what it saw by `<who>/<fault>`. */
export async function startFaultyServer() {
  const seen = new Map<string, Seen[]>();
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const [, who = '', name = '', ...rest] = url.split('/');
    const { date, authorization = '', ...headers } = request.headers;
    for (const varying of ['host', 'x-amz-date', 'amz-sdk-invocation-id']) delete headers[varying];
    const tries = seen.get(`${who}/${name}`) ?? [];
    seen.set(`${who}/${name}`, tries);
    const scope = authorization.replace(/\/\d{8}\//, '/day/').replace(/Signature=\w+/, '');
    tries.push({
      method,
      url: rest.join('/'),
      headers: { ...headers, scope },
      body: await text(request).catch(() => 'cut'),
    });
    const fault: Fault = faults[name as FaultName];
    (fault[tries.length - 1] ?? (fault.at(-1) as Reply))(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (who: string) =>
      Object.fromEntries(
        [...seen]
          .filter(([key]) => key.startsWith(`${who}/`))
          .map(([key, tries]) => [key.slice(who.length + 1), tries]),
      ),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
