import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceCall } from '../credentials.ts';
import type { Denial } from '../dynamodb/calls.ts';
import type { BucketModel } from '../model.ts';
import { furtherAccess, s3Accesses } from './accesses.ts';
import { readCall } from './calls.ts';
import { corsHeaders, preflight } from './cors.ts';
import { accessDenied, internal, noSuchBucket, S3Failure, slowDown } from './failures.ts';
import type { S3Call } from './operation.ts';
import { operations } from './operations.ts';
import { openStore, type Store } from './store.ts';
import { readRequest, type S3Request, sendFailure, sendReply } from './wire.ts';

export type { S3Call } from './operation.ts';

/** The local stage's S3: the template's buckets with versions, object lock, presigned addresses and forms. */

/** What a test can make a call do. 'lose-response' executes it and then destroys the socket. */
export type S3Fault = 'throttle' | 'error' | 'hang' | 'lose-response';

export type S3Options = {
  readonly region: string;
  readonly buckets: readonly BucketModel[];
  /** Objects are kept there, in `s3`; undefined keeps all in memory. */
  readonly dataDir?: string | undefined;
  /** S3's AccessDenied when it returns something; asked for each action that a call needs. */
  readonly authorize?: ((call: ServiceCall) => Denial | undefined) | undefined;
  readonly intercept?: ((call: S3Call) => S3Fault | undefined) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
};

export type S3 = {
  readonly url: string;
  /** What AWS's own services put, past policies and faults. @throws S3Failure NoSuchBucket */
  readonly put: (bucket: string, key: string, body: Buffer, contentType: string) => Promise<void>;
  /** Another template's: what is there already stays, with its objects. */
  readonly adopt: (buckets: readonly BucketModel[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function startS3(options: S3Options): Promise<S3> {
  const { dataDir, now = Date.now } = options;
  const store = await openStore(dataDir && `${dataDir}/s3`, now);
  await store.adopt(options.buckets);
  const server = createServer((request, response) => {
    answer(request, response, store, { ...options, now }).catch((error: unknown) => {
      if (!(error instanceof S3Failure)) console.error('The local S3 failed:', error);
      sendFailure(response, error instanceof S3Failure ? error : internal(), corsOf(request, store));
    });
  });
  // SDK clients keep their sockets; a socket closed here just as one sends would look like a lost response.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    // By an IP address, for which the SDK puts the bucket into the path and not before the host.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    adopt: store.adopt,
    put: async (name, key, body, contentType) => {
      const bucket = bucketIn(store, name);
      const headers = { 'content-type': contentType };
      const unlocked = { isDeleteMarker: false, checksums: {}, retention: null, isHeld: null };
      await store.add(bucket, { key, headers, ...unlocked }, body);
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      // A call whose socket is gone may still be writing.
      await store.settled();
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  store: Store,
  { region, authorize, intercept, now }: S3Options & { now: () => number },
): Promise<void> {
  const head = readRequest(request);
  if (head.method === 'OPTIONS') {
    request.resume();
    sendReply(response, { status: 200, headers: preflight(bucketIn(store, head.bucket).model.cors, head.headers) });
    return;
  }
  const call = await readCall(request, head, region, now());
  const bucket = bucketIn(store, call.bucket);
  const { arn, cors } = bucket.model;
  for (const access of s3Accesses(call, arn)) {
    const denial = authorize?.(access);
    if (denial) throw denied(denial);
  }
  const fault = intercept?.(call);
  if (fault === 'hang') return;
  if (fault === 'throttle') throw slowDown();
  if (fault === 'error') throw internal();
  const may = (action: string) => authorize?.(furtherAccess(call, arn, action)) === undefined;
  try {
    const reply = await operations[call.action]?.({ store, bucket, now: now(), may }, call);
    if (!reply) throw internal();
    if (fault === 'lose-response') return;
    sendReply(response, { ...reply, headers: { ...reply.headers, ...corsHeaders(cors, head.method, head.headers) } });
  } finally {
    if (fault === 'lose-response') response.destroy();
  }
}

function bucketIn(store: Store, name: string) {
  const bucket = store.bucket(name);
  if (!bucket) throw noSuchBucket(name);
  return bucket;
}

/** A page reads an error, too. */
function corsOf(request: IncomingMessage, store: Store): Record<string, string> {
  const { bucket, method, headers } = safely(request);
  return corsHeaders(store.bucket(bucket)?.model.cors ?? [], method, headers);
}

function safely(request: IncomingMessage): Pick<S3Request, 'bucket' | 'method' | 'headers'> {
  try {
    return readRequest(request);
  } catch {
    return { bucket: '', method: '', headers: {} };
  }
}

function denied({ action, resource, principal = 'unknown', reason }: Denial): S3Failure {
  const sentence = `User: ${principal} is not authorized to perform: ${action} on resource: "${resource}"`;
  return accessDenied(reason ? `${sentence} ${reason}` : sentence);
}
