/** The questions of researchers and auditors, in standard SQL over the views. The SQL is the same for every engine. */

export type Question = {
  readonly id: string;
  /** A description in one line. */
  readonly asks: string;
  /** The parameters of the SQL, in the order of its `?`. */
  readonly parameters: readonly { readonly name: string; readonly example: string }[];
  readonly sql: string;
};

const atT = { name: 'T, a time in UTC', example: '2026-11-22 00:00:00' };

export const questions: readonly Question[] = [
  {
    id: 'active-consents',
    asks: 'How many people had agreed, at a time T, to which version of which agreement?',
    parameters: [atT],
    sql: `WITH moment AS (SELECT CAST(? AS TIMESTAMP) AS t),
ranked AS (
  SELECT c.user_id, c.agreement_id, c.version_id, c.decision, c.recorded_at,
    ROW_NUMBER() OVER (PARTITION BY c.user_id, c.agreement_id ORDER BY c.record_number DESC) AS place
  FROM consent_records c CROSS JOIN moment m
  WHERE c.recorded_at <= m.t
),
ended AS (
  SELECT e.user_id, MAX(e.ended_at) AS ended_at
  FROM account_ends e CROSS JOIN moment m
  WHERE e.ended_at <= m.t
  GROUP BY e.user_id
)
SELECT r.agreement_id, r.version_id, COUNT(*) AS people
FROM ranked r LEFT JOIN ended e ON e.user_id = r.user_id
WHERE r.place = 1 AND r.decision = 'agreed' AND (e.ended_at IS NULL OR e.ended_at < r.recorded_at)
GROUP BY r.agreement_id, r.version_id
ORDER BY r.agreement_id, r.version_id`,
  },
  {
    id: 'consent-funnel',
    asks: 'Of all people with a consent record: how many ever agreed to each agreement, revoked it, agreed again, and agree now?',
    parameters: [],
    sql: `WITH steps AS (
  SELECT user_id, agreement_id, decision, recorded_at,
    LAG(decision) OVER (PARTITION BY user_id, agreement_id ORDER BY record_number) AS before_it,
    ROW_NUMBER() OVER (PARTITION BY user_id, agreement_id ORDER BY record_number DESC) AS place
  FROM consent_records
),
ended AS (SELECT user_id, MAX(ended_at) AS ended_at FROM account_ends GROUP BY user_id),
everybody AS (SELECT COUNT(DISTINCT user_id) AS people FROM consent_records)
SELECT s.agreement_id,
  MAX(a.people) AS people,
  COUNT(DISTINCT CASE WHEN s.decision = 'agreed' THEN s.user_id END) AS ever_agreed,
  COUNT(DISTINCT CASE WHEN s.decision = 'revoked' THEN s.user_id END) AS ever_revoked,
  COUNT(DISTINCT CASE WHEN s.decision = 'agreed' AND s.before_it = 'revoked' THEN s.user_id END) AS agreed_again,
  COUNT(DISTINCT CASE WHEN s.place = 1 AND s.decision = 'agreed'
    AND (e.ended_at IS NULL OR e.ended_at < s.recorded_at) THEN s.user_id END) AS agree_now
FROM steps s CROSS JOIN everybody a LEFT JOIN ended e ON e.user_id = s.user_id
GROUP BY s.agreement_id
ORDER BY s.agreement_id`,
  },
  {
    id: 'adherence',
    asks: 'In each week since their first consent: on how many of seven nights do people write a diary entry, including people who have stopped?',
    parameters: [],
    sql: `WITH started AS (
  SELECT c.user_id, MIN(c.recorded_day) AS first_day
  FROM consent_records c LEFT JOIN account_ends e ON e.user_id = c.user_id AND e.is_closed = 'true'
  WHERE e.user_id IS NULL
  GROUP BY c.user_id
),
last_one AS (SELECT MAX(wake_day) AS last_day FROM diary_entries),
written AS (
  SELECT s.user_id, CAST(FLOOR((d.wake_day - s.first_day - 1) / 7.0) AS INTEGER) + 1 AS therapy_week, COUNT(*) AS nights
  FROM diary_entries d JOIN started s ON s.user_id = d.user_id
  WHERE d.wake_day > s.first_day
  GROUP BY s.user_id, CAST(FLOOR((d.wake_day - s.first_day - 1) / 7.0) AS INTEGER) + 1
),
weeks AS (SELECT DISTINCT therapy_week FROM written)
SELECT w.therapy_week,
  COUNT(*) AS people,
  SUM(COALESCE(n.nights, 0)) AS nights,
  CAST(SUM(COALESCE(n.nights, 0)) AS DOUBLE) / (7 * COUNT(*)) AS adherence
FROM weeks w CROSS JOIN last_one l JOIN started s ON s.first_day + 7 * w.therapy_week <= l.last_day
LEFT JOIN written n ON n.user_id = s.user_id AND n.therapy_week = w.therapy_week
GROUP BY w.therapy_week
ORDER BY w.therapy_week`,
  },
  {
    id: 'scores',
    asks: 'How do the scores of each questionnaire develop from week to week since the first consent: how many, their mean and their standard deviation?',
    parameters: [],
    sql: `WITH started AS (SELECT user_id, MIN(recorded_day) AS first_day FROM consent_records GROUP BY user_id),
dated AS (
  SELECT r.questionnaire_id, r.questionnaire_version, r.score_id, r.score,
    CAST(FLOOR((r.completed_day - s.first_day) / 7.0) AS INTEGER) AS therapy_week
  FROM scores r JOIN started s ON s.user_id = r.user_id
  WHERE r.score IS NOT NULL AND r.completed_day >= s.first_day
)
SELECT questionnaire_id, questionnaire_version, score_id, therapy_week,
  COUNT(*) AS responses, AVG(score) AS mean_score, STDDEV_SAMP(score) AS standard_deviation
FROM dated
GROUP BY questionnaire_id, questionnaire_version, score_id, therapy_week
ORDER BY questionnaire_id, questionnaire_version, score_id, therapy_week`,
  },
  {
    id: 'looks',
    asks: 'Since a time T: who looked at what of how many people, and at how many of these looks without a consent?',
    parameters: [atT],
    sql: `SELECT looked_by, looked_from_site, route, relation,
  COUNT(*) AS looks,
  COUNT(DISTINCT user_id) AS people,
  SUM(CASE WHEN consent_record_id IS NULL THEN 1 ELSE 0 END) AS without_consent,
  MIN(looked_at) AS first_at,
  MAX(looked_at) AS last_at
FROM looks
WHERE looked_at >= CAST(? AS TIMESTAMP)
GROUP BY looked_by, looked_from_site, route, relation
ORDER BY looks DESC, looked_by, looked_from_site, route, relation`,
  },
  {
    id: 'app-versions',
    asks: 'Which versions of the app are installed, by the week in which each device last registered?',
    parameters: [],
    sql: `SELECT renewed_week, platform, app_version, COUNT(*) AS devices
FROM devices
GROUP BY renewed_week, platform, app_version
ORDER BY renewed_week, platform, app_version`,
  },
];

/** @throws an Error that names the questions */
export function questionNamed(id: string): Question {
  const found = questions.find((question) => question.id === id);
  if (!found) throw new Error(`there is no question ${id}: ${questions.map((question) => question.id).join(', ')}`);
  return found;
}
