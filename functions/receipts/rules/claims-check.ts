import type { SignedRecord } from '../routes.ts';
import { claimsOf } from './receipt.ts';

/** Whether all that a receipt says is so: a signature says only who signed. Pure. */

type Known = {
  readonly environment: string;
  /** Whose agreement it is; null where the catalogue does not know it. */
  readonly application: string | null;
  /** What the catalogue has under the record's version, language and hash; undefined where it was not asked. */
  readonly content: { readonly title: string; readonly contentUrl: string } | null | undefined;
  readonly now: Date;
  /** Where the time machine dates records, none of them dates a receipt. */
  readonly movedClock: boolean;
};

/** Between the clocks of two hosts. */
const skewMs = 5 * 60_000;
const applications = ['sleepcare', 'medinfo'];

/**
 * @param said the payload of a receipt
 * @param record the ledger's, under the receipt's own keys
 * @returns the paths of what is missing, different or more, as `consent.privacyNotice.hash`; a name that is no word is in quotes
 */
export function differingClaims(said: Readonly<Record<string, unknown>>, record: SignedRecord, known: Known): string[] {
  const { service, privacyNotice } = Object(said.consent) as Partial<Record<string, unknown>>;
  const { title, url } = Object(privacyNotice) as Partial<Record<string, unknown>>;
  const application = known.application ?? applications.find((name) => name === service) ?? applications.join();
  const expected = claimsOf(record, {
    environment: known.environment,
    application,
    issuedAt: new Date(0),
    content: textOf({ title, url }, known.content),
  });
  const wanted = leavesOf({
    ...expected,
    iat: isDated(said.iat, record, known) ? said.iat : 'a time after the record',
  });
  const found = leavesOf(said);
  const paths = [...new Set([...wanted.keys(), ...found.keys()])];
  return paths
    .filter((path) => wanted.get(path) !== found.get(path))
    .map(pathText)
    .toSorted();
}

/** None is right, too: a catalogue may have learnt of a version after the receipt was signed. */
function textOf({ title, url }: { title?: unknown; url?: unknown }, content: Known['content']) {
  if (title === null && url === null) return null;
  if (content !== undefined) return content ?? null;
  return typeof title === 'string' && typeof url === 'string' ? { title, contentUrl: url } : null;
}

function isDated(iat: unknown, { recordedAt }: SignedRecord, { now, movedClock }: Known): boolean {
  if (!Number.isSafeInteger(iat)) return false;
  const at = Number(iat) * 1000;
  if (at > now.getTime() + skewMs) return false;
  return movedClock || at >= Date.parse(recordedAt) - skewMs;
}

/** Every value that is no object, by the canonical text of its path: joined by dots, one path would pass for another. */
function leavesOf(value: object): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (one: unknown, path: readonly string[]): void => {
    const key = JSON.stringify(path);
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return void leaves.set(key, JSON.stringify(one));
    const entries = Object.entries(one);
    if (entries.length === 0) leaves.set(key, '{}');
    for (const [name, each] of entries) walk(each, [...path, name]);
  };
  walk(value, []);
  return leaves;
}

/** With names in quotes where they are more than a word. */
function pathText(path: string): string {
  const names = JSON.parse(path) as string[];
  return names.map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name))).join('.');
}
