import type { Line } from '../../../lib/runtime/log.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { shownText } from '../../evidence/rules.ts';
import { foreignReceiptKeys } from '../metrics.ts';
import { findForeign, type KeyTrust } from '../stores/published-keys.ts';

type Watching = {
  readonly now: () => Date;
  /** @param metrics counts; each of them raises an alarm */
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
  /** Tells people. An alarm that is on already would say nothing of what is found then. */
  readonly tell: (lines: readonly string[]) => Promise<void>;
};

/** An object that stays for good would keep the alarm on for good: after a day only `verify-ledger` reports it. */
const newMs = 86_400_000;
const mostLines = 100;
/** The function runs every five minutes. So people get one or two messages about each object. */
const untoldMs = 600_000;

/**
 * Looks for keys that no rotation made, and for revocations that no operator signed. Nobody can remove these objects.
 *
 * @returns how many there are
 */
export async function watchKeys(
  evidence: Objects,
  trust: KeyTrust,
  { now, log, tell }: Watching,
): Promise<{ foreign: number }> {
  const began = now().getTime();
  const since = began - newMs;
  const untold: string[] = [];
  let [foreign, fresh] = [0, 0];
  for await (const { key, storedAt, says } of findForeign(evidence, trust)) {
    foreign += 1;
    if (storedAt.getTime() < since) continue;
    fresh += 1;
    if (storedAt.getTime() >= began - untoldMs) untold.push(`${shownText(key)}: ${says}`);
    if (fresh <= mostLines)
      log({ level: 'ERROR', message: 'a key of receipts that is none of ours', object: key, says });
  }
  log({ level: fresh > 0 ? 'ERROR' : 'INFO', message: 'receipt keys' }, { [foreignReceiptKeys]: fresh });
  await tell(untold);
  return { foreign };
}
