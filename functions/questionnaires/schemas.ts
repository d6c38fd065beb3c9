import * as z from 'zod/mini';
import {
  CalendarDate,
  combined,
  Id,
  Locale,
  manyLines,
  notTiny,
  Timestamp,
  wellFormed,
} from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';

/** The schemas of definitions, bundles and answers. Their limits keep a row far below DynamoDB's limit of 400 KB. */

export const itemTypes = [
  'choice',
  'integer',
  'decimal',
  'boolean',
  'date',
  'time',
  'text',
  'group',
  'display',
] as const;

export const operators = ['exists', '=', '!=', '>', '<', '>=', '<='] as const;

export const scoreKinds = ['sum', 'mean', 'weighted', 'map', 'clock-difference', 'ratio'] as const;

export const occurrenceStatuses = ['upcoming', 'due', 'in-progress', 'completed', 'missed'] as const;

/** Items, scores and languages of one definition, together with the 256 KB of its text. */
const most = { items: 200, options: 50, scores: 100, languages: 20, answers: 200 } as const;

const text = (length: number) => z.string().check(z.minLength(1), z.maxLength(length), wellFormed, manyLines);

/** By BCP 47 language tag. */
export const QuestionnaireTexts = z.record(Locale, text(2000)).check(
  z.refine((texts) => Object.keys(texts).length >= 1, issue('too_short', 'must be one language at least')),
  z.refine((texts) => Object.keys(texts).length <= most.languages, issue('too_long', 'must be 20 languages at most')),
);

/** The id of an item, an option, a score or a band. */
const Name = z.string().check(z.regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 . _ -'));
const Finite = z.number().check(z.gte(-1_000_000), z.lte(1_000_000), notTiny);

const value = {
  choice: z.optional(Name),
  integer: z.optional(z.int().check(z.gte(-1_000_000_000), z.lte(1_000_000_000))),
  decimal: z.optional(z.number().check(z.gte(-1_000_000_000), z.lte(1_000_000_000), notTiny)),
  boolean: z.optional(z.boolean()),
  date: z.optional(z.string().check(z.maxLength(10))),
  time: z.optional(z.string().check(z.maxLength(5))),
  text: z.optional(z.string().check(z.maxLength(4000), wellFormed, manyLines)),
};

/** An answer to one item. The field with the name of the item's type has the value; there is no other field. */
export const QuestionnaireAnswer = z.object(combined({ linkId: Name }, value));

/** The limit for all answers of a response, as JSON. With three bytes a character this is less than half of a row. */
const longestAnswers = 64_000;

export const Answers = z.array(QuestionnaireAnswer).check(
  z.maxLength(most.answers),
  z.refine(
    (answers) => JSON.stringify(answers).length <= longestAnswers,
    issue('too_long', 'must be 64,000 characters at most'),
  ),
);

const condition = combined({ linkId: Name }, value);

export const QuestionnaireCondition = z.object(combined(condition, { operator: z.enum(operators) }));

/** From here on: schemas of answers of the API. Later versions may add types, operators and kinds. */
export const PublishedCondition = z.object(combined(condition, { operator: z.string() }));

export const QuestionnaireOption = z.object({
  value: Name,
  text: QuestionnaireTexts,
  score: z.optional(Finite),
});

const item = {
  linkId: Name,
  groupId: z.optional(Name),
  text: QuestionnaireTexts,
  required: z.optional(z.boolean()),
  options: z.optional(z.array(QuestionnaireOption).check(z.maxLength(most.options))),
  min: z.optional(Finite),
  max: z.optional(Finite),
  maxLength: z.optional(z.int().check(z.gte(1), z.lte(4000))),
};

export const QuestionnaireItem = z.object(
  combined(item, {
    type: z.enum(itemTypes),
    enableWhen: z.optional(z.array(QuestionnaireCondition).check(z.minLength(1), z.maxLength(20))),
    enableBehavior: z.optional(z.enum(['all', 'any'])),
  }),
);

export const PublishedItem = z.object(
  combined(item, {
    type: z.string(),
    enableWhen: z.optional(z.array(PublishedCondition)),
    enableBehavior: z.optional(z.string()),
  }),
);

const range = {
  atLeast: z.optional(Finite),
  above: z.optional(Finite),
  atMost: z.optional(Finite),
  below: z.optional(Finite),
};

export const QuestionnaireInput = z.object({
  item: z.optional(Name),
  score: z.optional(Name),
  weight: z.optional(Finite),
  ifMissing: z.optional(Finite),
});

export const QuestionnaireThreshold = z.object(combined(range, { value: Finite }));

export const QuestionnaireBand = z.object({ bandId: Name, from: Finite, to: Finite, label: QuestionnaireTexts });

const score = {
  scoreId: Name,
  label: QuestionnaireTexts,
  of: z.array(QuestionnaireInput).check(z.minLength(1), z.maxLength(most.items)),
  allowedMissing: z.optional(z.int().check(z.gte(0), z.lte(most.items))),
  thresholds: z.optional(z.array(QuestionnaireThreshold).check(z.minLength(1), z.maxLength(50))),
  factor: z.optional(Finite),
  decimals: z.optional(z.int().check(z.gte(0), z.lte(6))),
  bands: z.optional(z.array(QuestionnaireBand).check(z.minLength(1), z.maxLength(20))),
  isHidden: z.optional(z.boolean()),
};

export const QuestionnaireScore = z.object(combined(score, { kind: z.enum(scoreKinds) }));

export const PublishedScore = z.object(combined(score, { kind: z.string() }));

export const QuestionnaireFlagRule = z.object(
  combined({ code: Name, item: z.optional(Name), score: z.optional(Name) }, range),
);

/** About a score: a value outside of the range is impossible, and the text tells the patient so. */
export const QuestionnaireConstraint = z.object(combined({ score: Name, text: QuestionnaireTexts }, range));

const content = {
  defaultLocale: Locale,
  title: QuestionnaireTexts,
  description: z.optional(QuestionnaireTexts),
  source: z.optional(text(2000)),
  /** `placeholder`: the wording is not here, because it needs a licence. Absent: the wording is here. */
  wording: z.optional(z.enum(['placeholder'])),
  flags: z.array(QuestionnaireFlagRule).check(z.maxLength(20)),
  constraints: z.optional(z.array(QuestionnaireConstraint).check(z.maxLength(20))),
};

const longestDefinition = 256_000;

/** The content that is published: all of a definition except its name. */
export const QuestionnaireContent = z
  .object(
    combined(content, {
      items: z.array(QuestionnaireItem).check(z.minLength(1), z.maxLength(most.items)),
      scores: z.array(QuestionnaireScore).check(z.maxLength(most.scores)),
    }),
  )
  .check(
    z.refine(
      (whole) => Buffer.byteLength(JSON.stringify(whole)) <= longestDefinition,
      issue('too_long', 'must be 256,000 bytes at most'),
    ),
  );

/** Ids that are a segment of a path of another route. */
const segments = ['responses', 'bundles', 'scores', 'flags', 'versions', 'simulate', 'imports'];

export const QuestionnaireId = Id.check(z.refine((id) => !segments.includes(id), 'is reserved'));

export const CrisisContact = z.object({
  name: z.string(),
  /** `phone`, `text`, `chat` or `web`. */
  channel: z.string(),
  /** The number to call, or to which a text message is sent. Exactly one of `phone` and `url` is present. */
  phone: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** In words. */
  hours: z.string(),
  alwaysOpen: z.boolean(),
  /** BCP 47; empty if not known. */
  languages: z.array(z.string()),
  /** `free` or `call-charge`; null if not known. */
  cost: z.nullable(z.string()),
  /** The page with which the facts were compared, and when. */
  source: z.string(),
  checkedOn: CalendarDate,
});

export const CrisisHelp = z.object({
  /** ISO 3166-1; `EU` if 112 is answered and nothing more is known; otherwise `001`, the world. */
  country: z.string(),
  notice: z.string(),
  /** Show it as long as the answers are a draft. Null beside a completed response. */
  draftNotice: z.nullable(z.string()),
  contacts: z.array(CrisisContact),
});

/**
 * `crisisHelp` is present if an answer can raise a flag. The app keeps it with the definition. It shows it beside the
 * questions and, with `draftNotice`, as soon as the answers would raise a flag by `flags`, even without network.
 */
export const Questionnaire = z.object(
  combined(
    { questionnaireId: Id, version: Id, publishedAt: Timestamp },
    combined(content, { items: z.array(PublishedItem), scores: z.array(PublishedScore) }),
    { crisisHelp: z.nullable(CrisisHelp) },
  ),
);

/** The result of the import, which can be published with PUT. */
export const ImportedQuestionnaire = z.object(
  combined(content, { items: z.array(PublishedItem), scores: z.array(PublishedScore) }),
);

export const ScoreResult = z.object({
  scoreId: z.string(),
  value: z.nullable(z.number()),
  bandId: z.nullable(z.string()),
  missing: z.int(),
  rule: z.string(),
});

export const BundleWindow = z.object({
  windowId: Name,
  fromDay: z.int().check(z.gte(0), z.lte(3650)),
  toDay: z.int().check(z.gte(0), z.lte(3650)),
});

const bundle = {
  title: QuestionnaireTexts,
  questionnaireIds: z.array(QuestionnaireId).check(
    z.minLength(1),
    z.maxLength(20),
    z.refine((ids) => new Set(ids).size === ids.length, issue('repeated', 'must name each questionnaire once')),
  ),
  programmeId: z.nullable(Id),
  windows: z.array(BundleWindow).check(z.maxLength(20)),
  /** What the days count from. Absent: the start of an entitlement of the programme. */
  anchor: z.optional(z.enum(['entitlement', 'window'])),
  /** Only with the anchor `window`. */
  everyDays: z.optional(z.int().check(z.gte(1), z.lte(365))),
  openDays: z.optional(z.int().check(z.gte(1), z.lte(365))),
};

export const QuestionnaireBundleContent = z.object(bundle);

export const QuestionnaireBundle = z.object(combined({ bundleId: Id }, bundle));
