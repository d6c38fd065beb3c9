// Generated from functions/*/personal-data.ts by npm run generate; do not edit.

import { eraseCareRelations } from '../../crm-sites/exports.ts';
import { eraseDevices } from '../../devices/exports.ts';
import { eraseDirectoryEntry } from '../../crm-users/exports.ts';
import { eraseEnrolments } from '../../research/exports.ts';
import { eraseEntitlements } from '../../access-codes/exports.ts';
import { eraseEntries } from '../../overview/exports.ts';
import { eraseEntry } from '../../app-users/exports.ts';
import { eraseExports } from '../../personal-exports/exports.ts';
import { eraseMemberships } from '../../groups/exports.ts';
import { eraseProfile } from '../../users/exports.ts';
import { eraseQuestionnaireFlags } from '../../questionnaire-responses/exports.ts';
import { eraseSleepWindows } from '../../sleep/exports.ts';
import { eraseStaff } from '../../crm-sites/exports.ts';
import { eraseStaffAccount } from '../../staff/exports.ts';
import { eraseTickets } from '../../support/exports.ts';
import { eraseUrgentTickets } from '../../support/exports.ts';

export const ownErasers = { eraseProfile, eraseEntry, eraseDevices, eraseExports, eraseStaffAccount, eraseEntries, eraseCareRelations, eraseStaff, eraseDirectoryEntry, eraseQuestionnaireFlags, eraseSleepWindows, eraseEntitlements, eraseTickets, eraseUrgentTickets, eraseMemberships, eraseEnrolments };
