import * as z from 'zod/mini';
import { holdIn, readFrom, uploadTo } from '../../lib/contract/bucket-uses.ts';
import { Conflict, ValidationFailed } from '../../lib/contract/common-errors.ts';
import {
  combined,
  HttpsAddress,
  Id,
  Instant,
  Locale,
  oneLine,
  pathId,
  Sha256,
  Timestamp,
  WantedLocale,
  wellFormed,
} from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { route } from '../../lib/contract/route.ts';
import { append, joined, read } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { applications } from '../product.ts';
import { AgreementContents } from './buckets.ts';
import {
  AgreementContentIncomplete,
  AgreementContentNotFound,
  AgreementLimitReached,
  AgreementNotFound,
  AgreementVersionNotFound,
  AgreementVersionNotPublished,
  AgreementVersionPublished,
} from './errors.ts';
import { administerAgreements, readOwnConsents } from './permissions.ts';
import { Agreements } from './tables.ts';

const text = (length: number) =>
  z.string().check(
    z.overwrite((given) => given.trim()),
    z.minLength(1),
    z.maxLength(length),
    wellFormed,
    oneLine,
  );

const agreement = {
  agreementId: Id,
  application: z.enum(applications),
  title: text(200),
  isRequired: z.boolean(),
  position: z.int().check(z.gte(0), z.lte(1_000_000)),
};

export const NewAgreement = z.object(agreement);

/** A version's title and text in one language. */
export const AgreementText = z.object({ title: text(200), contentUrl: HttpsAddress, contentHash: Sha256 });

export const AgreementTexts = z.record(Locale, AgreementText).check(
  z.refine((locales) => Object.keys(locales).length >= 1, issue('too_short', 'must be one language at least')),
  z.refine((locales) => Object.keys(locales).length <= 50, issue('too_long', 'must be 50 languages at most')),
  z.refine(
    (locales) => new Set(Object.keys(locales).map((tag) => tag.toLowerCase())).size === Object.keys(locales).length,
    issue('repeated', 'must name each language once'),
  ),
);

const version = {
  versionId: Id,
  label: text(64),
  changeType: z.enum(['major', 'minor']),
  defaultLocale: Locale,
  locales: AgreementTexts,
};

/** A text as it is stored. It has no checks, so texts from before a rule was made can still be answered. */
export const StoredAgreementText = z.object({ title: z.string(), contentUrl: HttpsAddress, contentHash: Sha256 });

const stored = { label: z.string(), locales: z.record(Locale, StoredAgreementText) };

export const NewAgreementVersion = z
  .object(version)
  .check(
    z.refine(
      ({ locales, defaultLocale }) => Object.hasOwn(locales, defaultLocale),
      issue('inconsistent', 'must be one of the locales', ['defaultLocale']),
    ),
  );

export const AgreementVersion = z.object(
  combined(combined({ agreementId: Id }, version, stored), {
    status: z.enum(['draft', 'scheduled', 'active', 'superseded', 'withdrawn']),
    publishedAt: z.nullable(Timestamp),
    effectiveFrom: z.nullable(Timestamp),
    withdrawnAt: z.nullable(Timestamp),
  }),
);

export const CatalogueEntry = z.object(combined(agreement, { title: z.string(), versions: z.array(AgreementVersion) }));

const ofVersion = z.object({ versionId: pathId(AgreementVersionNotFound) });

const administered = ['medinfo'] as const;
const changes = [read(Agreements), append(Agreements), append(AuditEvents)] as const;

export const listCatalogue = route({
  method: 'GET',
  path: '/agreements',
  summary: "The applications' agreements with all their versions",
  description:
    'In catalogue order, the agreements of sleep-care first. `application` restricts the list to one application. A page ' +
    'can have fewer entries than `limit`: only `metadata.hasMore` says whether there is another page.',
  applications: administered,
  auth: administerAgreements,
  uses: [read(Agreements)],
  query: z.object({ application: z.optional(z.enum(applications)) }),
  cursor: ['application', 'position', 'agreementId'],
  items: CatalogueEntry,
  errors: [],
});

export const createAgreement = route({
  method: 'POST',
  path: '/agreements',
  summary: 'Creates an agreement, which has no version yet',
  description: withKeyNote(
    'Users see the agreement as soon as it has an active version. `isRequired` cannot be changed later, because ' +
      'consents depend on it.',
  ),
  applications: administered,
  auth: administerAgreements,
  uses: joined(changes, idempotencyUses),
  headers: idempotencyHeaders,
  body: NewAgreement,
  status: 201,
  response: CatalogueEntry,
  errors: [Conflict, AgreementLimitReached, IdempotencyKeyReused],
});

export const draftAgreementVersion = route({
  method: 'POST',
  path: '/agreements/{agreementId}/versions',
  summary: 'Drafts a version of an agreement',
  description: withKeyNote(
    '`contentHash` is the SHA-256 of the exact text in that language, which is uploaded before the version is ' +
      'published. Nobody can agree to a draft. A draft cannot be changed; create another draft instead.' +
      ' Together: `defaultLocale` is one of `locales`.',
  ),
  applications: administered,
  auth: administerAgreements,
  uses: joined(changes, idempotencyUses),
  headers: idempotencyHeaders,
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  body: NewAgreementVersion,
  status: 201,
  response: AgreementVersion,
  errors: [AgreementNotFound, Conflict, IdempotencyKeyReused],
});

/** Formats that browsers and readers can show, and no format that can contain any other program. */
const ContentType = z.string().check(
  z.toLowerCase(),
  z.regex(
    /^(text\/(html|markdown|plain)(; ?charset=utf-8)?|application\/pdf)$/,
    'must be text/html, text/markdown or text/plain, with or without charset=utf-8, or application/pdf',
  ),
  // Whoever reads the text need not guess.
  z.overwrite((type) => type.replace(/^(text\/\w+)\b.*$/, '$1; charset=utf-8')),
);

export const signContentUpload = route({
  method: 'POST',
  path: '/agreements/versions/{versionId}/content',
  summary: "Signs the upload of a draft's text in one language",
  description:
    'Send `fields` and then the text as `file`, as multipart/form-data, to `url`. S3 accepts it until ' +
    '`expiresAt`, up to `maxBytes`, and only if its hash is the `contentHash` that the draft declares.',
  applications: administered,
  auth: administerAgreements,
  uses: [read(Agreements), uploadTo(AgreementContents)],
  params: ofVersion,
  body: z.object({ locale: Locale, contentType: ContentType }),
  response: z.object({
    url: z.string(),
    fields: z.record(z.string(), z.string()),
    expiresAt: Timestamp,
    maxBytes: z.int(),
  }),
  errors: [AgreementVersionNotFound, AgreementVersionPublished, ValidationFailed],
});

export const publishAgreementVersion = route({
  method: 'POST',
  path: '/agreements/versions/{versionId}/publish',
  summary: 'Publishes a draft, which is immutable from then on',
  description:
    'The version is active from `effectiveFrom` on (default: now). Until then the old version stays active. ' +
    'Publishing compares each text with its hash and its type, refuses what may run, load or lead elsewhere (Files), and keeps the ' +
    "text for good. Idempotent. Apps' lists show the version within five seconds.",
  applications: administered,
  auth: administerAgreements,
  uses: joined(changes, [holdIn(AgreementContents)]),
  params: ofVersion,
  body: z.optional(z.object({ effectiveFrom: z.optional(Instant) })),
  response: AgreementVersion,
  errors: [AgreementVersionNotFound, AgreementVersionPublished, AgreementContentIncomplete, ValidationFailed],
});

export const withdrawAgreementVersion = route({
  method: 'POST',
  path: '/agreements/versions/{versionId}/withdraw',
  summary: 'Withdraws a published version for good',
  description:
    'The version before it becomes active again, if there is one. Consents to the withdrawn version and its text ' +
    'stay as they are. Idempotent.',
  applications: administered,
  auth: administerAgreements,
  uses: changes,
  params: ofVersion,
  response: AgreementVersion,
  errors: [AgreementVersionNotFound, AgreementVersionNotPublished],
});

export const readAgreementContent = route({
  method: 'GET',
  path: '/agreements/versions/{versionId}/content',
  summary: 'The exact text of a published version, even if it was superseded or withdrawn',
  description:
    '`versionId` and `locale` of a consent record name the text that the user agreed to. Without `locale` the ' +
    "answer is the text in the version's default locale. `url` returns the text as a download until `expiresAt`, and " +
    'needs no headers. The SHA-256 of the text is `contentHash`. Administrators can read the texts of both applications.',
  applications,
  auth: readOwnConsents,
  uses: [read(Agreements), readFrom(AgreementContents)],
  params: ofVersion,
  query: z.object({ locale: z.optional(WantedLocale) }),
  response: z.object({
    versionId: Id,
    locale: Locale,
    contentHash: Sha256,
    contentType: z.string(),
    url: z.string(),
    expiresAt: Timestamp,
  }),
  errors: [AgreementVersionNotFound, AgreementContentNotFound],
});
