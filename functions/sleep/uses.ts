import { get, read } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Users } from '../users/tables.ts';
import { SleepEntries, SleepinessSigns, SleepWindows } from './tables.ts';

/** The tables from which a window follows: the diary, what speaks against a window, and who can release one. */
export const factUses = [
  read(SleepEntries),
  read(SleepWindows),
  read(SleepinessSigns),
  read(QuestionnaireResponses),
  read(QuestionnaireFlags),
  read(Entitlements),
  get(Users),
] as const;
