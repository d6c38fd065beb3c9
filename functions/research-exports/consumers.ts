import { Accounts } from '../../lib/contract/accounts.ts';
import { keepIn } from '../../lib/contract/bucket-uses.ts';
import { consumer, untilTooOld } from '../../lib/contract/consumer.ts';
import { append, check, get, joined, read, sendTo, signWith, write } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../access/consent-states.ts';
import { ConsentRecords } from '../consents/tables.ts';
import { LearningProgress } from '../learning/tables.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { knowingKeys } from '../receipts/schemas.ts';
import { ResearchManifestKey } from '../receipts/signing-keys.ts';
import { ResearchExportQueue } from '../research/queues.ts';
import { Enrolments, Studies, StudyKeys, UserEnrolments } from '../research/tables.ts';
import { SleepEntries, SleepEpisodes } from '../sleep/tables.ts';
import { Users } from '../users/tables.ts';
import { ResearchExportFiles } from './buckets.ts';
import { ResearchExportContents, ResearchExportNotices, ResearchExportPages, ResearchExports } from './tables.ts';

export const makeResearchExport = consumer({
  summary:
    'Makes the files of a study, one page of participants at a time, and records which participants the recipients have to delete',
  application: 'sleepcare',
  queue: ResearchExportQueue,
  uses: joined(
    [
      write(ResearchExports),
      append(ResearchExports),
      read(ResearchExportPages),
      append(ResearchExportPages),
      read(ResearchExportContents),
      append(ResearchExportContents),
      write(ResearchExportNotices),
      keepIn(ResearchExportFiles),
      sendTo(ResearchExportQueue),
      signWith(ResearchManifestKey),
      get(Studies),
      read(Enrolments),
      read(UserEnrolments),
      get(StudyKeys),
      get(Accounts),
      check(Accounts),
      check(ConsentStates),
      read(ConsentRecords),
      get(Users),
      read(SleepEntries),
      read(SleepEpisodes),
      read(QuestionnaireResponses),
      read(Questionnaires),
      read(LearningProgress),
    ],
    knowingKeys,
  ),
  batchSize: 1,
  concurrency: 2,
  impact: 'Researchers wait for the data of a study',
});

export const enqueueDiaryCorrections = consumer({
  summary: 'Hands on who corrected or deleted a diary entry, for the notices of exports',
  application: 'sleepcare',
  // The other consumer of this stream counts.
  stream: SleepEntries,
  uses: [sendTo(ResearchExportQueue)],
  windowSeconds: 1,
  retries: untilTooOld,
  impact: 'Researchers do not learn that diary entries in their files were corrected (GDPR Art. 19)',
});

export const enqueueWithdrawals = consumer({
  summary:
    'Puts a message into the queue for each participant who left a study or was erased, so that notices are made',
  application: 'sleepcare',
  // The other consumer of this stream publishes events.
  stream: Enrolments,
  uses: [sendTo(ResearchExportQueue)],
  // This function fails only if the queue fails.
  retries: untilTooOld,
  impact: 'Researchers do not learn that participants in their files have left or were erased (GDPR Art. 19)',
});
