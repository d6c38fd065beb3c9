import { isTime } from '../../../lib/contract/instant.ts';
import type { RowChange } from '../../consent-events/rules.ts';
import type { Flag } from './flag.ts';
import { type Decision, hasBeen } from './flag-decision.ts';
import { contentOf, isId } from './flag-image.ts';

/** What is wrong with a flag's rows. Pure. */

/** `without-answers`: no completed answers are known that could have raised it. `unreadable`: answers of which nobody can say what they raise. */
export type Suspicion = 'changed' | 'removed' | 'planted' | 'missing' | 'without-answers' | 'unreadable';

/** @param raised as its answers raised it */
export function suspicionOf(
  changes: readonly RowChange[],
  raised: Flag,
  decisions: readonly Decision[],
): Suspicion | null {
  for (const { OldImage, NewImage } of changes) {
    const content = contentOf(NewImage);
    if (content && !hasBeen(content, raised, decisions)) return OldImage ? 'changed' : 'planted';
    if (!NewImage && OldImage?.part?.S?.startsWith('flag#')) return 'removed';
  }
  return null;
}

const texts = [
  'flagId',
  'code',
  'userId',
  'responseId',
  'questionnaireId',
  'raisedAt',
  'recordedAt',
  'receivedAt',
] as const;
const times: readonly string[] = ['raisedAt', 'recordedAt', 'receivedAt'];
const later = { acknowledgedAt: null, acknowledgedBy: null, outcome: null, endedAt: null, endedBy: null };

/** The flag as it was raised, where its answers are gone: by the row before, unless the row after is another flag. */
export function raisedIn({ OldImage, NewImage }: RowChange, flagId: string): Flag | null {
  const [before, after] = [raisedOf(OldImage), raisedOf(NewImage)];
  if (before?.flagId !== flagId) return null;
  return after && texts.some((name) => after[name] !== before[name]) ? null : before;
}

function raisedOf(image: RowChange['NewImage']): Flag | null {
  const content = contentOf(image);
  // A row that somebody planted may have anything, also what is no key.
  const isFit = (name: string) => (times.includes(name) ? isTime(content?.[name]) : isId(content?.[name]));
  if (!content || !texts.every(isFit)) return null;
  return {
    ...(Object.fromEntries(texts.map((name) => [name, content[name]])) as Pick<Flag, (typeof texts)[number]>),
    ...later,
  };
}
