import type { itemTypes, operators, scoreKinds } from '../schemas.ts';

/**
 * The definition of a questionnaire, as data: its items, their scoring, and the answers that a person must look at. A
 * published version never changes.
 */

/** By BCP 47 language tag. */
export type Texts = Readonly<Record<string, string>>;

export type ItemType = (typeof itemTypes)[number];
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
  /** The group that contains it, which is an earlier item. */
  readonly groupId?: string;
  readonly text: Texts;
  readonly required?: boolean;
  readonly enableWhen?: Condition[];
  /** Whether all conditions must hold, or any of them. The default is all. */
  readonly enableBehavior?: 'all' | 'any';
  readonly options?: Option[];
  readonly min?: number;
  readonly max?: number;
  readonly maxLength?: number;
};

/** The value of an item or of an earlier score. If it is missing, `ifMissing` is used, if there is one. */
export type Input = {
  readonly item?: string;
  readonly score?: string;
  readonly weight?: number;
  readonly ifMissing?: number;
};

/** All fields that are present must hold. */
export type Range = {
  readonly atLeast?: number;
  readonly above?: number;
  readonly atMost?: number;
  readonly below?: number;
};

/** The first case that holds gives the value. */
type Threshold = Range & { readonly value: number };

/** A band begins at `from` and ends before the next band; the last one ends with `to`. */
type Band = { readonly bandId: string; readonly from: number; readonly to: number; readonly label: Texts };

/**
 * One number. `clock-difference`: minutes from the first clock time to the second, over midnight if need be. `ratio`: the
 * first by the second, times `factor`.
 */
export type Score = {
  readonly scoreId: string;
  readonly label: Texts;
  readonly kind: (typeof scoreKinds)[number];
  readonly of: Input[];
  /**
   * For a sum or mean: this many inputs may be missing. The mean of the others replaces them. If more are missing,
   * there is no score.
   */
  readonly allowedMissing?: number;
  readonly thresholds?: Threshold[];
  readonly factor?: number;
  readonly decimals?: number;
  readonly bands?: Band[];
  /** The score is only a step towards another score, and is not shown. */
  readonly isHidden?: boolean;
};

/** A flag: an answer or a score in a range, which a person must look at. */
export type FlagRule = Range & { readonly code: string; readonly item?: string; readonly score?: string };

/**
 * The range in which a score must be, because other answers are impossible; and the text for the patient if it is not.
 */
export type Constraint = Range & { readonly score: string; readonly text: Texts };

export type Definition = {
  readonly questionnaireId: string;
  readonly version: string;
  readonly defaultLocale: string;
  readonly title: Texts;
  readonly description?: Texts;
  /** The owner of the instrument, and the right to use its wording here. */
  readonly source?: string;
  /** The items have placeholders instead of the wording, which needs a licence. */
  readonly wording?: 'placeholder' | undefined;
  readonly items: Item[];
  readonly scores: Score[];
  readonly flags: FlagRule[];
  readonly constraints?: Constraint[];
};

export function isAnswered({ type }: Item): boolean {
  return type !== 'group' && type !== 'display';
}

/** A text that has only blanks and invisible characters is not an answer. */
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

/** A questionnaire in the list, with its current version. `revision` counts the versions. */
export type Head = Pick<Definition, 'questionnaireId' | 'version' | 'title'> & {
  readonly publishedAt: string;
  readonly revision: number;
};
/** A whole version, as JSON. */
export type Version = { readonly content: string };
