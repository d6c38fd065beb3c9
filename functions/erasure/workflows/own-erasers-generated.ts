// Generated from functions/*/data.ts by npm run generate; do not edit.

import { eraseDevices } from '../../devices/exports.ts';
import { eraseProfile } from '../../users/exports.ts';
import { eraseQuestionnaireFlags } from '../../questionnaire-responses/exports.ts';

export const ownErasers = { eraseProfile, eraseDevices, eraseQuestionnaireFlags };
