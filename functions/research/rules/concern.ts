import { isTime } from '../../../lib/contract/instant.ts';
import type { RowChange } from '../../consent-events/rules.ts';

/** The queue's other kind of message, beside steps of exports: a change of a participant that needs notices. */
export type Concern = {
  readonly userId: string;
  /** Null: every study that the user takes or took part in. */
  readonly studyId: string | null;
  readonly occasion: ConcernOccasion;
  /** If given, only if there is a revocation between these two consent records. */
  readonly between?: Between;
  /** True: it comes again, after each page that was being read at the time of the change has been committed or given up. */
  readonly isSettled?: true;
};

/** The numbers of the consent records that allowed the enrolment before, and allow it now. */
export type Between = { readonly before: number; readonly now: number };

/** A change in a stream, with the second in which it was made. */
export type StreamChange = {
  readonly dynamodb?: (RowChange & { readonly ApproximateCreationDateTime?: number | undefined }) | undefined;
};

export type ConcernOccasion =
  | { readonly reason: 'left'; readonly keepExported: boolean; readonly at: string }
  | { readonly reason: 'erased'; readonly at: string }
  | {
      readonly reason: 'amended';
      readonly at: string;
      /** Of a diary entry: when what was corrected had arrived. Without it answers were corrected. */
      readonly entryArrivedAt?: string;
    };

const reasons: readonly string[] = ['left', 'erased', 'amended'] satisfies ConcernOccasion['reason'][];

/** Whether a notice can be made of it. Other functions may send to the queue, too, and a message may then have any reason and any time. */
export function isTellable({ reason, at }: { readonly reason: unknown; readonly at: unknown }): boolean {
  return typeof reason === 'string' && reasons.includes(reason) && isTime(at);
}
