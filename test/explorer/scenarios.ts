import type { Scenario } from '../../lib/explore/scenario.ts';
import { guesses } from '../access-codes/explored/guesses.ts';
import { insurersCode } from '../access-codes/explored/insurers-code.ts';
import { issuedOnce } from '../access-codes/explored/issued.ts';
import { codeLookedUp } from '../access-codes/explored/looked-up.ts';
import { oneCode } from '../access-codes/explored/one-code.ts';
import { codesDrawn, revokedBatch, revokedCode } from '../access-codes/explored/revocation.ts';
import { twoCodes, twoCodesInTurn } from '../access-codes/explored/two-codes.ts';
import { looksBesideErasure } from '../access-log/explored/watched.ts';
import { notMeBesideAnotherChange } from '../accounts/explored/not-me.ts';
import { passwordChangedBesideSignIn } from '../accounts/explored/password.ts';
import { secondFactorOff } from '../accounts/explored/second-factor.ts';
import { badgeInTheEnd, badges, boardDrawn, twoReaders } from '../agent-board/explored/two-readers.ts';
import { catalogueDrawn } from '../agreements/explored/catalogue.ts';
import { versionBesideConsents } from '../agreements/explored/new-version.ts';
import { disabledUser, disabledUserIsTold } from '../app-users/explored/disabled.ts';
import { policyReplaced } from '../app-version/explored/policy-replaced.ts';
import { allSessionsEndedTwice, sessionsEndAtTheLimit } from '../auth/explored/many-ends.ts';
import { newCodes, recoveryCodes } from '../auth/explored/recovery.ts';
import { requestsBesideEnd, requestsBesideEndOfAll } from '../auth/explored/requests.ts';
import { renewalBesideEnd, signInBesideEnd, signOut, twoRenewals } from '../auth/explored/sessions.ts';
import { signInOverOldSession, twoSignIns } from '../auth/explored/sign-ins.ts';
import { reuseBesideRenewal, stolenToken } from '../auth/explored/stolen-token.ts';
import { consentsDrawn } from '../consents/explored/drawn.ts';
import { severalAtOnce } from '../consents/explored/several.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';
import {
  accessAndChanges,
  accessAndLeaving,
  accessAndRevocation,
  accessByStaleReads,
} from '../crm-patients/explored/access-gate.ts';
import {
  mainSiteChosenTwice,
  oneSiteTwoAdministrators,
  siteChangedAgain,
  siteCodeRenewed,
  staffPutAndRemoved,
  twoMainSites,
} from '../crm-sites/explored/at-a-site.ts';
import { joinedAndRedeemed, leftAndJoinedAgain, sameSiteCode } from '../crm-sites/explored/joins.ts';
import { phoneGivenUpBesidePushes } from '../devices/explored/beside-pushes.ts';
import { newPhones } from '../devices/explored/new-phones.ts';
import { onePhone, phoneGivenUp, phoneWithNewToken } from '../devices/explored/one-phone.ts';
import {
  askedAndTakenBack,
  askedBesideRestoration,
  closingBesideWriters,
  takenBackBesideARun,
} from '../erasure/explored/at-once.ts';
import { closing, held } from '../erasure/explored/closing.ts';
import { exportBesideErasure } from '../erasure/explored/exports.ts';
import { erasedPhoneHasAnotherUser } from '../erasure/explored/phone-of-another.ts';
import { longChainReleased, released, releasedLate, releasedUnderThrottling } from '../erasure/explored/released.ts';
import { deletionIsTold, signInBesideErasure } from '../erasure/explored/signing-in.ts';
import { closedBesideADevice, takenBack } from '../erasure/explored/taken-back.ts';
import { broadcastBesideMembers, broadcastToWhoStays, memberComesBack } from '../groups/explored/broadcasts.ts';
import { groupsDrawn } from '../groups/explored/drawn.ts';
import { twoAdministrators } from '../groups/explored/two-administrators.ts';
import { quizOnce } from '../learning/explored/quiz-once.ts';
import { unitProgress } from '../learning/explored/unit-progress.ts';
import { unlockedAtMidnight } from '../learning/explored/unlocked-at-midnight.ts';
import { checkpointBesideConsents } from '../ledger/explored/checkpoints.ts';
import { addressLeft, addressOfErased, addressTakenOver, oneAddress } from '../mail/explored/address.ts';
import { guessedCode, lateCode, mailInTime, mailOnce, resetTwice } from '../mail/explored/codes.ts';
import { signUp } from '../mail/explored/sign-up.ts';
import { settingReplaced } from '../mobile-settings/explored/setting-replaced.ts';
import { countedBesideErasure } from '../overview/explored/beside-erasure.ts';
import {
  countedDiary,
  countedEntitlements,
  countedQuestionnaires,
  countedTickets,
  countedUsers,
} from '../overview/explored/counted.ts';
import { exportAskedTooOften, exportAskedTwice } from '../personal-exports/explored/exports.ts';
import { leaseTakenOver } from '../push/explored/senders.ts';
import { toTheOwner } from '../push/explored/to-the-owner.ts';
import { alwaysOpenOccurrence } from '../questionnaire-responses/explored/always-open.ts';
import { flagDecided, flagDecidedUnderThrottling } from '../questionnaire-responses/explored/flag-decided.ts';
import { flagErased } from '../questionnaire-responses/explored/flag-erased.ts';
import { oneOccurrence } from '../questionnaire-responses/explored/one-occurrence.ts';
import { remindedByTwoRuns } from '../questionnaire-responses/explored/reminders.ts';
import { twoDrafts } from '../questionnaire-responses/explored/two-drafts.ts';
import { bundleReplaced, bundleWording, firstWording } from '../questionnaires/explored/bundle-replaced.ts';
import { testVersionPublished, versionPublished } from '../questionnaires/explored/version-published.ts';
import { oneReceipt } from '../receipts/explored/one-receipt.ts';
import {
  joinAndLastRevocation,
  joinAndLeave,
  joinAndRenewal,
  joinAndRevoke,
  oneInvitation,
} from '../research/explored/joining.ts';
import {
  exportAndComeback,
  exportBesideClosing,
  exportBesideLeavers,
  revokedAndBack,
} from '../research-exports/explored/leavers.ts';
import { oneEpisode } from '../sleep/explored/one-episode.ts';
import { oneNight } from '../sleep/explored/one-night.ts';
import { windowReleased, windowReplaced } from '../sleep/explored/window-decided.ts';
import { windowSelfReleased } from '../sleep/explored/window-self-released.ts';
import { eachOther, firstRequests, oneMember } from '../staff/explored/administrators.ts';
import { invitation, invitedTwice } from '../staff/explored/invitation.ts';
import { invitationRenewed, invitationRepeated } from '../staff/explored/renewal.ts';
import { countedConsents } from '../statistics/explored/counted-consents.ts';
import { ticketOpened } from '../support/explored/ticket-opened.ts';
import { ticketReopened } from '../support/explored/ticket-reopened.ts';
import { twoAgents } from '../support/explored/two-agents.ts';
import { urgentErased, urgentLeft, urgentOpenedLate, urgentSeen } from '../support/explored/urgent-seen.ts';
import { profileChanged } from '../users/explored/profile-changed.ts';

/** All scenarios; each is beside its domain, in `test/<domain>/explored`. */
export const scenarios: readonly Scenario[] = [
  twoPhones,
  consentsDrawn,
  insurersCode,
  oneCode,
  twoCodes,
  twoCodesInTurn,
  revokedBatch,
  codesDrawn,
  revokedCode,
  codeLookedUp,
  guesses,
  takenBack,
  closedBesideADevice,
  closing,
  held,
  twoRenewals,
  stolenToken,
  reuseBesideRenewal,
  renewalBesideEnd,
  requestsBesideEnd,
  requestsBesideEndOfAll,
  signInBesideEnd,
  signOut,
  recoveryCodes,
  newCodes,
  eachOther,
  oneMember,
  invitation,
  disabledUser,
  resetTwice,
  guessedCode,
  lateCode,
  mailOnce,
  signUp,
  oneAddress,
  addressLeft,
  notMeBesideAnotherChange,
  invitedTwice,
  invitationRenewed,
  invitationRepeated,
  firstRequests,
  issuedOnce,
  released,
  longChainReleased,
  oneReceipt,
  checkpointBesideConsents,
  onePhone,
  phoneGivenUp,
  phoneWithNewToken,
  twoReaders,
  boardDrawn,
  badges,
  badgeInTheEnd,
  toTheOwner,
  broadcastBesideMembers,
  broadcastToWhoStays,
  memberComesBack,
  twoAdministrators,
  countedConsents,
  countedUsers,
  countedQuestionnaires,
  countedDiary,
  countedTickets,
  countedEntitlements,
  twoDrafts,
  flagDecided,
  flagDecidedUnderThrottling,
  flagErased,
  oneOccurrence,
  twoAgents,
  ticketOpened,
  ticketReopened,
  urgentSeen,
  urgentLeft,
  urgentOpenedLate,
  oneNight,
  windowReleased,
  windowReplaced,
  joinAndRevoke,
  joinAndLeave,
  joinAndRenewal,
  exportBesideLeavers,
  exportAndComeback,
  twoMainSites,
  siteCodeRenewed,
  staffPutAndRemoved,
  oneSiteTwoAdministrators,
  windowSelfReleased,
  unitProgress,
  quizOnce,
  unlockedAtMidnight,
  settingReplaced,
  policyReplaced,
  versionPublished,
  bundleReplaced,
  bundleWording,
  severalAtOnce,
  versionBesideConsents,
  catalogueDrawn,
  accessAndRevocation,
  accessAndLeaving,
  accessByStaleReads,
  accessAndChanges,
  askedAndTakenBack,
  askedBesideRestoration,
  closingBesideWriters,
  takenBackBesideARun,
  joinAndLastRevocation,
  mainSiteChosenTwice,
  releasedUnderThrottling,
  revokedAndBack,
  secondFactorOff,
  passwordChangedBesideSignIn,
  mailInTime,
  siteChangedAgain,
  twoSignIns,
  signInOverOldSession,
  signInBesideErasure,
  deletionIsTold,
  disabledUserIsTold,
  looksBesideErasure,
  allSessionsEndedTwice,
  sessionsEndAtTheLimit,
  joinedAndRedeemed,
  sameSiteCode,
  leftAndJoinedAgain,
  newPhones,
  erasedPhoneHasAnotherUser,
  groupsDrawn,
  countedBesideErasure,
  exportAskedTooOften,
  exportAskedTwice,
  exportBesideErasure,
  leaseTakenOver,
  phoneGivenUpBesidePushes,
  alwaysOpenOccurrence,
  remindedByTwoRuns,
  oneInvitation,
  exportBesideClosing,
  oneEpisode,
  profileChanged,
  firstWording,
  testVersionPublished,
  urgentErased,
  addressTakenOver,
  addressOfErased,
  releasedLate,
];

/** By scenario, the promises that today's code breaks, and how; they stay until the code is mended. */
export const openFindings: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
