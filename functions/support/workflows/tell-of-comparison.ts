import type { Line } from '../../../lib/runtime/log.ts';
import { type Operators, tellFindings } from '../../evidence/exports.ts';
import { shownText } from '../../evidence/rules.ts';
import type { Compared } from './comparison.ts';

type Telling = {
  readonly operators: Operators;
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

/** @returns figures of the run @throws what a row threw that could not be compared: the run has failed, and people know what it found */
export async function tellOfComparison({ operators, log }: Telling, metric: string, compared: Compared) {
  const { flags, tickets, unreadable, errors, isComplete } = compared;
  const lines = [
    ...flags.map(
      ({ flagId, ticketId, suspicion, isBack }) =>
        `flag ${shownText(flagId)}, urgent ticket ${ticketId ?? 'unknown'}: ${suspicion}, ${isBack ? 'put back' : 'not put back'}`,
    ),
    ...tickets,
    ...unreadable.map((key) => `a row that no list can show: ${shownText(key)}`),
    ...(isComplete ? [] : ['the comparison was not finished in its time']),
  ];
  for (const line of lines) log({ level: 'ERROR', message: 'answers, flags and tickets differ', line });
  log({ level: 'INFO', message: 'compared' }, { [metric]: lines.length });
  await tellFindings(operators, {
    subject: 'answers, flags and urgent tickets differ',
    lines,
    where:
      'Somebody has to look at each flag and ticket now: no ticket was closed. What to do: docs/runbook.md#compare-flags-found',
  });
  if (errors.length > 0) throw errors[0];
  return { flags: flags.length, tickets: tickets.length, unreadable: unreadable.length, isComplete };
}
