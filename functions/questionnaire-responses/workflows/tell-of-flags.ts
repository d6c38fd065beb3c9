import type { Line } from '../../../lib/runtime/log.ts';
import { type Operators, tellFindings } from '../../evidence/exports.ts';
import { shownText } from '../../evidence/rules.ts';
import type { FlagFinding } from '../stores/guarded-flags.ts';

export type Telling = {
  readonly operators: Operators;
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

/** An alarm that is on already does not report the next flag, so people get a message. It names ids, and not whose flag it is. */
export async function tellOfFlags(
  { operators, log }: Telling,
  metric: string,
  found: readonly FlagFinding[],
): Promise<void> {
  for (const finding of found)
    log({ level: 'ERROR', message: 'a flag was not as it has to be', ...finding }, { [metric]: 1 });
  const lines = found.map(({ flagId, ticketId, suspicion, isBack }) => {
    const ticket = ticketId === null ? 'no answer that raised it is known' : `urgent ticket ${ticketId}`;
    return `flag ${shownText(flagId)}, ${ticket}: ${suspicion}, ${isBack ? 'put back' : 'not put back'}`;
  });
  await tellFindings(operators, {
    subject: 'flags of questionnaires tampered with',
    lines,
    where:
      'Somebody has to look at each flag and ticket now: no ticket was closed. What to do: docs/runbook.md#questionnaire-flags-tampered-with',
  });
}
