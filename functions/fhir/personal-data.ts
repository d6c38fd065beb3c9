import { Accounts } from '../../lib/contract/accounts.ts';
import type { ExportedFile } from '../../lib/contract/personal-data.ts';
import { get, read } from '../../lib/contract/uses.ts';
import { Agreements } from '../agreements/tables.ts';
import { ConsentRecords, ConsentStates } from '../consents/tables.ts';
import { QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Questionnaires } from '../questionnaires/tables.ts';
import { ConsentReceipts } from '../receipts/tables.ts';
import { SleepEntries, SleepEpisodes } from '../sleep/tables.ts';
import { Users } from '../users/tables.ts';

export const exportFiles: readonly ExportedFile[] = [
  {
    name: 'fhir.json',
    holds: {
      en: 'profile, consents, completed questionnaires and nights once more, in the format FHIR R4, which other health systems can read',
      de: 'Profil, Einwilligungen, abgeschlossene Fragebögen und Nächte noch einmal, im Format FHIR R4, das andere Gesundheitssysteme lesen können',
    },
    by: 'writeFhirFile',
    uses: [
      get(Accounts),
      read(Users),
      read(ConsentStates),
      read(ConsentRecords),
      read(ConsentReceipts),
      read(Agreements),
      read(QuestionnaireResponses),
      read(Questionnaires),
      read(SleepEntries),
      read(SleepEpisodes),
    ],
  },
];
