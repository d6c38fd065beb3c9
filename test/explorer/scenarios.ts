import type { Scenario } from '../../lib/explore/scenario.ts';
import { policyReplaced } from '../app-version/explored/policy-replaced.ts';
import { twoPhones } from '../consents/explored/two-phones.ts';
import { quizOnce } from '../learning/explored/quiz-once.ts';
import { unitProgress } from '../learning/explored/unit-progress.ts';
import { unlockedAtMidnight } from '../learning/explored/unlocked-at-midnight.ts';
import { settingReplaced } from '../mobile-settings/explored/setting-replaced.ts';
import { flagDecided } from '../questionnaire-responses/explored/flag-decided.ts';
import { oneOccurrence } from '../questionnaire-responses/explored/one-occurrence.ts';
import { twoDrafts } from '../questionnaire-responses/explored/two-drafts.ts';
import { bundleReplaced, bundleWording } from '../questionnaires/explored/bundle-replaced.ts';
import { versionPublished } from '../questionnaires/explored/version-published.ts';
import { oneNight } from '../sleep/explored/one-night.ts';
import { windowReleased, windowReplaced } from '../sleep/explored/window-decided.ts';
import { windowSelfReleased } from '../sleep/explored/window-self-released.ts';
import { ticketOpened } from '../support/explored/ticket-opened.ts';
import { ticketReopened } from '../support/explored/ticket-reopened.ts';
import { twoAgents } from '../support/explored/two-agents.ts';
import { urgentLeft, urgentSeen } from '../support/explored/urgent-seen.ts';

/** All scenarios; each is beside its domain, in `test/<domain>/explored`. */
export const scenarios: readonly Scenario[] = [
  twoPhones,
  twoDrafts,
  flagDecided,
  oneOccurrence,
  twoAgents,
  ticketOpened,
  ticketReopened,
  urgentSeen,
  urgentLeft,
  oneNight,
  windowReleased,
  windowReplaced,
  windowSelfReleased,
  unitProgress,
  quizOnce,
  unlockedAtMidnight,
  settingReplaced,
  policyReplaced,
  versionPublished,
  bundleReplaced,
  bundleWording,
];
