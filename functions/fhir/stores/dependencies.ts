import type { ConsentRecords, ConsentStates } from '../../access/consent-states.ts';
import type { Agreements } from '../../agreements/tables.ts';
import type { QuestionnaireResponses } from '../../questionnaire-responses/tables.ts';
import type { Questionnaires } from '../../questionnaires/tables.ts';
import type { ConsentReceipts } from '../../receipts/tables.ts';
import type { SleepEntries, SleepEpisodes } from '../../sleep/tables.ts';
import type { Users } from '../../users/tables.ts';
import type { Resource } from '../rules/resource.ts';

/** From what the resources of a person are made. */
export type FhirDependencies = {
  readonly tables: Readonly<{
    readonly Users: Users<'get'>;
    readonly ConsentStates: ConsentStates<'query'>;
    readonly ConsentRecords: ConsentRecords<'query'>;
    readonly ConsentReceipts: ConsentReceipts<'query'>;
    readonly Agreements: Agreements<'get'>;
    readonly QuestionnaireResponses: QuestionnaireResponses<'get' | 'query'>;
    readonly Questionnaires: Questionnaires<'get'>;
    readonly SleepEntries: SleepEntries<'query'>;
    readonly SleepEpisodes: SleepEpisodes<'query'>;
  }>;
  readonly userId: string;
  /** Of the account. */
  readonly ends: readonly string[];
};

type SectionPage = {
  /** No more than were asked for; `place` is where the section goes on behind it. */
  readonly found: readonly { readonly resource: Resource; readonly place: string }[];
  /** Null: nothing follows. It may lie behind all that was found. */
  readonly next: string | null;
};

export type Section = (
  deps: FhirDependencies,
  page: { readonly limit: number; readonly after: string | null },
) => Promise<SectionPage>;
