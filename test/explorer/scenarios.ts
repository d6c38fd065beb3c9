import type { Scenario } from '../../lib/explore/scenario.ts';
import { badgeInTheEnd, badges, twoReaders } from '../agent-board/explored/two-readers.ts';
import { versionBesideConsents } from '../agreements/explored/new-version.ts';
import { severalAtOnce } from '../consents/explored/several.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';
import { accessAndLeaving, accessAndRevocation } from '../crm-patients/explored/access-gate.ts';
import {
  oneSiteTwoAdministrators,
  siteCodeRenewed,
  staffPutAndRemoved,
  twoMainSites,
} from '../crm-sites/explored/at-a-site.ts';
import { onePhone, phoneGivenUp, phoneWithNewToken } from '../devices/explored/one-phone.ts';
import { broadcastBesideMembers, memberComesBack } from '../groups/explored/broadcasts.ts';
import { twoAdministrators } from '../groups/explored/two-administrators.ts';
import {
  countedDiary,
  countedEntitlements,
  countedQuestionnaires,
  countedTickets,
  countedUsers,
} from '../overview/explored/counted.ts';
import { toTheOwner } from '../push/explored/to-the-owner.ts';
import { joinAndLeave, joinAndRenewal, joinAndRevoke } from '../research/explored/joining.ts';
import { exportAndComeback, exportBesideLeavers } from '../research-exports/explored/leavers.ts';
import { countedConsents } from '../statistics/explored/counted-consents.ts';

/** All scenarios; each is beside its domain, in `test/<domain>/explored`. */
export const scenarios: readonly Scenario[] = [
  twoPhones,
  onePhone,
  phoneGivenUp,
  phoneWithNewToken,
  twoReaders,
  badges,
  badgeInTheEnd,
  toTheOwner,
  broadcastBesideMembers,
  memberComesBack,
  twoAdministrators,
  countedConsents,
  countedUsers,
  countedQuestionnaires,
  countedDiary,
  countedTickets,
  countedEntitlements,
  joinAndRevoke,
  joinAndLeave,
  joinAndRenewal,
  exportBesideLeavers,
  exportAndComeback,
  twoMainSites,
  siteCodeRenewed,
  staffPutAndRemoved,
  oneSiteTwoAdministrators,
  severalAtOnce,
  versionBesideConsents,
  accessAndRevocation,
  accessAndLeaving,
];
