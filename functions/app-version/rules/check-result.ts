import { createHash } from 'node:crypto';
import type { Policy, Texts } from './policy.ts';
import type { Verdict } from './verdict.ts';

/** A verdict as its reader sees it. */

/** Which of the languages the reader takes, or the other one. */
type Choose = (available: readonly string[], fallback: string) => string;

/** @param policy null where none is known, which leaves nothing to tell */
export function checkResult(policy: Policy | null, verdict: Verdict, choose: Choose) {
  const { updateRequired, forceBlocked, outcome, reason } = verdict;
  return {
    updateRequired,
    forceBlocked,
    outcome,
    reason,
    latestVersion: policy?.latestVersion ?? null,
    recommendedVersion: policy?.recommendedVersion ?? null,
    minimumVersion: policy?.minimumVersion ?? null,
    storeUrl: policy?.storeUrl ?? null,
    ...textOf(policy, verdict, choose),
  };
}

/** The title and message of a verdict, null where it needs none. */
export function textOf(policy: Policy | null, { text }: Verdict, choose: Choose) {
  const none = { title: null, message: null };
  if (!policy || !text) return none;
  const texts: Texts = policy.texts[text];
  const found = texts[choose(Object.keys(texts), policy.defaultLocale)];
  return found ? { title: found.title, message: found.message } : none;
}

/** Weak, since it names the content and not the time: `checkedAt` is not in it. */
export function etagOfResult(result: ReturnType<typeof checkResult>): string {
  return `W/"${createHash('sha256').update(JSON.stringify(result)).digest('base64url').slice(0, 22)}"`;
}
