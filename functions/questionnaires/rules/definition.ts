import type { itemTypes, operators, scoreKinds } from '../schemas.ts';

/**
 * What a questionnaire is: items, how they are scored and which answers a person must look at, all of it data. A published
 * version never changes.
 */

/** By BCP 47 language tag. */
export type Texts = Readonly<Record<string, string>>;

export type ItemType = (typeof itemTypes)[number];
/** Groups and displays have no answer. */
export type AnsweredType = Exclude<ItemType, 'group' | 'display'>;

/** One of these, named as the item's type. */
export type Value = {
  /** An option's `value`. */
  readonly choice?: string;
  readonly integer?: number;
  readonly decimal?: number;
  readonly boolean?: boolean;
  /** `YYYY-MM-DD` */
  readonly date?: string;
  /** `HH:MM`, on the patient's clock. */
  readonly time?: string;
  readonly text?: string;
};

export type Answer = Value & { readonly linkId: string };

/** `exists` takes a `boolean`; the others a value of the item's type. */
export type Condition = Value & { readonly linkId: string; readonly operator: (typeof operators)[number] };

export type Option = { readonly value: string; readonly text: Texts; readonly score?: number };

export type Item = {
  readonly linkId: string;
  readonly type: ItemType;
  /** The group that it stands in, which is an item before it. */
  readonly groupId?: string;
  readonly text: Texts;
  readonly required?: boolean;
  readonly enableWhen?: Condition[];
  /** Whether all conditions have to hold or any; all unless given. */
  readonly enableBehavior?: 'all' | 'any';
  readonly options?: Option[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
};

/** Of an item or of a score before it; where it is missing, `ifMissing` if given. */
export type Input = {
  readonly item?: string;
  readonly score?: string;
  readonly weight?: number;
  readonly ifMissing?: number;
};

/** All that is given has to hold. */
export type Range = {
  readonly atLeast?: number;
  readonly above?: number;
  readonly atMost?: number;
  readonly below?: number;
};

/** The first one that holds gives the value. */
export type Threshold = Range & { readonly value: number };

/** From `from` on, up to the next band; the last one ends with `to`. */
export type Band = { readonly bandId: string; readonly from: number; readonly to: number; readonly label: Texts };

/**
 * One number. `clock-difference`: minutes from the first clock time to the second, over midnight if need be. `ratio`: the
 * first by the second, times `factor`.
 */
export type Score = {
  readonly scoreId: string;
  readonly label: Texts;
  readonly kind: (typeof scoreKinds)[number];
  readonly of: Input[];
  /** Of a sum or mean: so many inputs may be missing, for which the mean of the others stands. Else there is no score. */
  readonly allowedMissing?: number;
  readonly thresholds?: Threshold[];
  readonly factor?: number;
  readonly decimals?: number;
  readonly bands?: Band[];
  /** A step on the way to another score, which is not shown. */
  readonly isHidden?: boolean;
};

/** What a person must look at: an answer or a score in a range. */
export type FlagRule = Range & { readonly code: string; readonly item?: string; readonly score?: string };

/** What a score has to be for the answers to be possible, and the text for the patient if it is not. */
export type Constraint = Range & { readonly score: string; readonly text: Texts };

export type Definition = {
  readonly questionnaireId: string;
  readonly version: string;
  readonly defaultLocale: string;
  readonly title: Texts;
  readonly description?: Texts;
  /** Whose instrument it is, and by which right its wording is here. */
  readonly source?: string;
  readonly items: Item[];
  readonly scores: Score[];
  readonly flags: FlagRule[];
  readonly constraints?: Constraint[];
};

export function isAnswered({ type }: Item): boolean {
  return type !== 'group' && type !== 'display';
}

/** Blanks, and characters that are not seen, say nothing: such a text is no answer. */
export function isGiven({ text }: Value): boolean {
  return text === undefined || /[^\s\p{Cc}\p{Cf}\p{Z}\u115F\u1160\u2800\u3164\uFFA0]/u.test(text);
}

export function isIn(value: number, { atLeast, above, atMost, below }: Range): boolean {
  return (
    (atLeast === undefined || value >= atLeast) &&
    (above === undefined || value > above) &&
    (atMost === undefined || value <= atMost) &&
    (below === undefined || value < below)
  );
}

/** The value of an answer or of a condition, which has one. */
export function givenValue(value: Value): string | number | boolean | undefined {
  const { choice, integer, decimal, boolean, date, time, text } = value;
  return choice ?? integer ?? decimal ?? boolean ?? date ?? time ?? text;
}
