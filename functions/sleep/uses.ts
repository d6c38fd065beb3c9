import { get, read } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from '../questionnaire-responses/tables.ts';
import { Users } from '../users/tables.ts';

/** The tables that say what speaks against a window, and who can release one. */
export const concernUses = [
  read(QuestionnaireResponses),
  read(QuestionnaireFlags),
  read(Entitlements),
  get(Users),
] as const;
