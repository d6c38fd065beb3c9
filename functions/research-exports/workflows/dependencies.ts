import type { KMSClient } from '@aws-sdk/client-kms';
import type { Concern } from '../../research/rules.ts';
import type { Enrolments, Studies, StudyKeys } from '../../research/tables.ts';
import type { ResearchExport } from '../rules/export.ts';
import type { Files } from '../stores/export-files.ts';
import type { ExportPageTables } from '../stores/pages.ts';
import type { ParticipantTables } from '../stores/participants.ts';
import type { ResearchExportNotices } from '../tables.ts';

/** The next step of an export. */
export type Step = Pick<ResearchExport, 'studyId' | 'exportId'>;

/** What the steps of an export need: clients, tables, buckets and keys. */
export type ResearchExportDependencies = {
  readonly files: Files;
  readonly tables: ExportPageTables &
    ParticipantTables & {
      readonly Studies: Studies<'get'>;
      readonly Enrolments: Enrolments<'get' | 'query'>;
      readonly StudyKeys: StudyKeys<'get'>;
      readonly ResearchExportNotices: ResearchExportNotices<'query' | 'putRow'>;
    };
  readonly kms: KMSClient;
  readonly keyArn: string;
  /** Throws where verifiers do not find the key, or it is revoked. */
  readonly maySign: () => Promise<void>;
  readonly environment: string;
  /** Sends the next message, at once or after another function must have ended. */
  readonly send: (message: Step | Concern, delaySeconds: number) => Promise<void>;
  readonly now: () => Date;
  readonly remainingMs: () => number;
  readonly sizes?: Sizes;
};

export type Sizes = { readonly pageEnrolments: number; readonly partBytes: number };

/** A transaction has three items for each participant. A page with a year of data has a few megabytes. S3 refuses parts below five megabytes. */
export const usualSizes: Sizes = { pageEnrolments: 10, partBytes: 6 * 1024 * 1024 };

/** Another function made the next step. The message is delivered again. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** A page, a part and the change of the row take a fraction of it. */
const enoughMs = 15_000;

export function isTimeUp({ remainingMs }: ResearchExportDependencies): boolean {
  return remainingMs() < enoughMs;
}
