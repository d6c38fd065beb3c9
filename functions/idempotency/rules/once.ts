import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A request that is to take effect once: known by its caller, its route and the key that the caller sent. Pure. */
export type Once = {
  readonly keyId: string;
  /** Of what was asked for: another one under the same key is another request. */
  readonly fingerprint: string;
  /** Real time, whatever the time machine says. */
  readonly realNow: Date;
};

/** What is kept of the first request: with the request itself, all that its answer says. */
export type Remembered = Readonly<Record<string, string>>;

export type KeyRow = {
  keyId: string;
  fingerprint: string;
  made: Remembered;
  /** Seconds since 1970. DynamoDB deletes later than that, so that readers compare, too. */
  expiresAt: number;
};

const keptSeconds = 86_400;

type KeyedRequest = {
  readonly application: string;
  readonly caller: { readonly userId: string };
  readonly headers: { readonly 'idempotency-key'?: string | undefined };
  readonly params?: unknown;
  readonly body: unknown;
};

/** @returns null for a request without a key */
export function onceOf(
  route: { readonly method: string; readonly path: string },
  asked: KeyedRequest,
  realNow: Date,
): Once | null {
  const { application, caller, headers, params = {}, body } = asked;
  const key = headers['idempotency-key'];
  if (key === undefined) return null;
  const keyId = digest([application, caller.userId, `${route.method} ${route.path}`, key]);
  return { keyId, fingerprint: digest({ params, body }), realNow };
}

/** Only a digest: neither the key nor the request is stored. */
function digest(value: unknown): string {
  return createHash('sha256')
    .update(canonicalize(value) as string)
    .digest('hex');
}

export function rowOf({ keyId, fingerprint, realNow }: Once, made: Remembered): KeyRow {
  return { keyId, fingerprint, made, expiresAt: secondsOf(realNow) + keptSeconds };
}

/** A key that was used is as new after a day. */
export function verdictOn(row: KeyRow | null, once: Once): 'new' | 'repeated' | 'reused' {
  if (!row || row.expiresAt <= secondsOf(once.realNow)) return 'new';
  return row.fingerprint === once.fingerprint ? 'repeated' : 'reused';
}

export function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
