// Generated from functions/*/data.ts by npm run generate; do not edit.

import { eraseDevices } from '../../devices/exports.ts';
import { eraseExports } from '../../personal-exports/exports.ts';
import { eraseProfile } from '../../users/exports.ts';

export const ownErasers = { eraseProfile, eraseDevices, eraseExports };
