import canonicalize from 'canonicalize';
import type { SignedRecord } from '../routes.ts';
import { claimsOf } from './receipt.ts';

/** Whether every claim of a receipt is true: a signature shows only who signed. Pure. */

type ExpectedClaims = {
  readonly environment: string;
  /** The agreement's application; null if the catalogue does not know the agreement. */
  readonly application: string | null;
  /** The catalogue's text for the record's version, language and hash; undefined if the catalogue was not read. */
  readonly content: { readonly title: string; readonly contentUrl: string } | null | undefined;
  readonly now: Date;
  /** Where the time machine dates records, the date of a record says nothing about its receipt. */
  readonly movedClock: boolean;
};

/** Between the clocks of two hosts. */
const skewMs = 5 * 60_000;
const applications = ['sleepcare', 'medinfo'];

/**
 * @param said the payload of a receipt
 * @param record the ledger's, under the receipt's own keys
 * @returns the paths of missing, different and additional claims
 */
export function differingClaims(
  said: Readonly<Record<string, unknown>>,
  record: SignedRecord,
  known: ExpectedClaims,
): string[] {
  const { service, privacyNotice } = Object(said.consent) as Partial<Record<string, unknown>>;
  const { title, url } = Object(privacyNotice) as Partial<Record<string, unknown>>;
  const application = known.application ?? applications.find((name) => name === service) ?? applications.join();
  const expected = claimsOf(record, {
    environment: known.environment,
    application,
    issuedAt: new Date(0),
    content: textOf({ title, url }, known.content),
  });
  return differingPaths(said, {
    ...expected,
    iat: isDated(said.iat, record, known) ? said.iat : 'a time after the record',
  });
}

/** @returns the paths at which the two differ, such as `consent.privacyNotice.hash`; a name that is not a word is in quotes */
export function differingPaths(said: object, expected: object): string[] {
  const [found, wanted] = [leavesOf(said), leavesOf(expected)];
  const paths = [...new Set([...wanted.keys(), ...found.keys()])];
  return paths
    .filter((path) => wanted.get(path) !== found.get(path))
    .map(pathText)
    .toSorted();
}

/** A missing claim is correct, too: the version may have come into the catalogue after the receipt was signed. */
function textOf({ title, url }: { title?: unknown; url?: unknown }, content: ExpectedClaims['content']) {
  if (title === null && url === null) return null;
  if (content !== undefined) return content ?? null;
  return typeof title === 'string' && typeof url === 'string' ? { title, contentUrl: url } : null;
}

function isDated(iat: unknown, { recordedAt }: SignedRecord, { now, movedClock }: ExpectedClaims): boolean {
  if (!Number.isSafeInteger(iat)) return false;
  const at = Number(iat) * 1000;
  if (at > now.getTime() + skewMs) return false;
  return movedClock || at >= Date.parse(recordedAt) - skewMs;
}

/** Every value that is not an object, by the canonical text of its path. Joined by dots, two paths could look the same. */
function leavesOf(value: object): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (one: unknown, path: readonly string[]): void => {
    const key = JSON.stringify(path);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) {
      // A database may give the names of an object in another order.
      leaves.set(key, canonicalize(one) as string);
      return;
    }
    const entries = Object.entries(one);
    if (entries.length === 0) leaves.set(key, '{}');
    for (const [name, each] of entries) walk(each, [...path, name]);
  };
  walk(value, []);
  return leaves;
}

/** With quotes around names that are not a single word. */
function pathText(path: string): string {
  const names = JSON.parse(path) as string[];
  return names.map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name))).join('.');
}
