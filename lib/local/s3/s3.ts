import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceCall } from '../credentials.ts';
import type { BucketModel } from '../model.ts';
import { type Denial, sentenceOf } from '../service/failure.ts';
import { answerCall, type Fault, notXml } from '../service/faults.ts';
import { type RunningService, startService } from '../service/service.ts';
import { furtherAccess, s3Accesses } from './accesses.ts';
import { readCall } from './calls.ts';
import { corsHeaders, preflight } from './cors.ts';
import { accessDenied, internal, noSuchBucket, S3Failure, slowDown } from './failures.ts';
import { lists } from './lists.ts';
import { multipart } from './multipart.ts';
import { objectLocks } from './object-locks.ts';
import { objects } from './objects.ts';
import type { Operation, S3Call } from './operation.ts';
import { postObject } from './post-object.ts';
import { openStore, type Store } from './store.ts';
import { plain } from './versions.ts';
import { readRequest, type S3Request, sendFailure, sendReply } from './wire.ts';

/** The local stage's S3: the template's buckets with versions, object lock, presigned addresses and forms. */

const operations: Readonly<Record<string, Operation>> = {
  ...objects,
  ...lists,
  ...multipart,
  ...objectLocks,
  PostObject: postObject,
};

/** 'garbage' is excluded: a client would take it as the success of a put. */
type S3Fault = Exclude<Fault, 'garbage'>;

export type S3Options = {
  readonly region: string;
  readonly buckets: readonly BucketModel[];
  /** The folder in which objects are kept, below `s3`; undefined keeps everything in memory. */
  readonly dataDir?: string | undefined;
  /** Called for each action that a call needs. A returned denial becomes S3's AccessDenied. */
  readonly authorize?: ((call: ServiceCall) => Denial | undefined) | undefined;
  readonly intercept?: ((call: S3Call) => S3Fault | undefined) | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
};

export type S3 = RunningService & {
  /** A put by one of AWS's own services, without policies and faults. @throws S3Failure NoSuchBucket */
  readonly put: (bucket: string, key: string, body: Buffer, contentType: string) => Promise<void>;
  /** Adopts the buckets of another template. Existing buckets stay, with their objects. */
  readonly adopt: (buckets: readonly BucketModel[]) => Promise<void>;
};

export async function startS3(options: S3Options): Promise<S3> {
  const { dataDir, now = Date.now } = options;
  const store = await openStore(dataDir && `${dataDir}/s3`, now);
  await store.adopt(options.buckets);
  const server = await startService({
    name: 'S3',
    answer: (request, response) => answer(request, response, store, { ...options, now }),
    answerError: (error, request, response) => {
      sendFailure(response, error instanceof S3Failure ? error : internal(), corsOf(request, store));
      return error instanceof S3Failure;
    },
  });
  return {
    // An IP address: with it the SDK puts the bucket into the path, not into the host name.
    url: server.url,
    adopt: store.adopt,
    put: async (name, key, body, contentType) => {
      const bucket = bucketIn(store, name);
      await store.add(bucket, { ...plain, key, headers: { 'content-type': contentType } }, body);
    },
    close: async () => {
      await server.close();
      // A call whose socket is closed may still be writing.
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
  const may = (action: string) => authorize?.(furtherAccess(call, arn, action)) === undefined;
  await answerCall({
    response,
    fault: intercept?.(call),
    errors: { throttle: slowDown, error: internal },
    garbage: { contentType: 'application/xml', body: notXml },
    perform: async () => {
      const reply = await operations[call.action]?.({ store, bucket, now: now(), may }, call);
      if (!reply) throw internal();
      return reply;
    },
    send: (reply) =>
      sendReply(response, { ...reply, headers: { ...reply.headers, ...corsHeaders(cors, head.method, head.headers) } }),
  });
}

function bucketIn(store: Store, name: string) {
  const bucket = store.bucket(name);
  if (!bucket) throw noSuchBucket(name);
  return bucket;
}

/** The CORS headers of an error, so a page can read it, too. */
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

function denied(denial: Denial): S3Failure {
  return accessDenied(sentenceOf({ ...denial, resource: `"${denial.resource}"` }));
}
