import { read } from '../../lib/contract/uses.ts';
import { Entitlements } from '../access-codes/tables.ts';
import { QuestionnaireFlags, QuestionnaireResponses } from '../questionnaire-responses/tables.ts';

/** What speaks against a window, and who releases one. */
export const concernUses = [read(QuestionnaireResponses), read(QuestionnaireFlags), read(Entitlements)] as const;
