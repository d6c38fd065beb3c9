import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
import type { Resource } from '../rules/resource.ts';

/** From what the resources of a person are made. */
export type FhirDependencies = {
  readonly tables: Readonly<
    Record<
      | 'Users'
      | 'ConsentStates'
      | 'ConsentRecords'
      | 'ConsentReceipts'
      | 'Agreements'
      | 'QuestionnaireResponses'
      | 'Questionnaires'
      | 'SleepEntries'
      | 'SleepEpisodes',
      TableHandle
    >
  >;
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
