import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const userId = '95f807be-bb56-4119-899f-ee487ecfa121';
const date = '2026-11-21';
const day = { from: date, to: date };

const written = {
  zone: 'Atlantic/Reykjavik',
  inBedAt: '2026-11-20T23:00:00.000Z',
  lightsOffAt: '2026-11-20T23:15:00.000Z',
  sleepOnsetMinutes: 30,
  awakenings: 2,
  wakeMinutes: 45,
  finalWakeAt: '2026-11-21T06:30:00.000Z',
  tryingToSleepAfterWakeMinutes: 15,
  outOfBedAt: '2026-11-21T06:45:00.000Z',
  quality: 4,
  caffeine: { drinks: 2, lastAt: '2026-11-20T14:00:00.000Z' },
  notes: 'Thunderstorm at two.',
};

const entry = {
  date,
  ...written,
  slept: true,
  naps: null,
  medication: null,
  alcohol: null,
  noddedOff: null,
  figures: {
    timeInBedMinutes: 465,
    totalSleepMinutes: 360,
    totalSleep24hMinutes: null,
    efficiencyPercent: 77.42,
    episodeEfficiencyPercent: 80,
    midSleep: '03:07',
  },
  recordedAt: '2026-11-21T06:50:00.000Z',
  updatedAt: '2026-11-22T07:14:07.153Z',
  replacedAt: '2026-11-21T06:40:00.000Z',
};

const entries = { items: [entry], metadata: { limit: 100, count: 1, hasMore: false, nextCursor: null } };

const of = (mean: number) => ({ mean, standardDeviation: null });

const period = {
  ...day,
  nights: 1,
  nightsWithoutSleep: 0,
  timeInBedMinutes: of(465),
  totalSleepMinutes: of(360),
  totalSleep24hMinutes: { mean: null, standardDeviation: null },
  sleepOnsetMinutes: of(30),
  wakeMinutes: of(45),
  efficiencyPercent: of(77.42),
  episodeEfficiencyPercent: of(80),
  midSleep: { mean: '03:07', standardDeviationMinutes: null },
  quality: of(4),
  regularity: { index: null, pairs: 0 },
  device: {
    nights: 1,
    asleepMinutes: of(420),
    awakeMinutes: of(30),
    coreMinutes: of(240),
    deepMinutes: of(60),
    remMinutes: of(120),
  },
};

const summary = { ...period, by: 'week', periods: [period] };

const state = {
  status: 'none' as const,
  window: null,
  tonight: null,
  suspendedBecause: [],
  suspensionId: null,
  next: { dueOn: '2026-11-22', nights: 5, nightsNeeded: 5, waitingFor: null },
  release: {
    by: 'physician' as const,
    because: [{ code: 'PROGRAMME_BY_PHYSICIAN', text: 'A physician releases the sleep window.' }],
    screening: { questionnaireId: 'sleep-window-screening', version: '2.0' },
    measurements: [
      { questionnaireId: 'ess', status: 'not-answered' as const, completedAt: null },
      { questionnaireId: 'phq-9', status: 'answered' as const, completedAt: '2026-11-22T07:14:02.310Z' },
    ],
  },
  proposal: null,
};

const prescription = {
  minutes: 335,
  bedTime: '00:55',
  risingTime: '06:30',
  ruleVersion: '2',
  because: [{ code: 'FIRST_WINDOW', text: 'The first window is as long as the sleep of the week, on average.' }],
  week: { from: '2026-11-16', to: '2026-11-22', nights: 5, meanSleepMinutes: 335, efficiencyPercent: 77.01 },
};

const proposalId = '622f1c49-512d-86b7-8a3b-d377830f663f';
const stage = (name: 'awake' | 'asleepCore' | 'asleepDeep' | 'asleepREM', startAt: string, endAt: string) => ({
  stage: name,
  startAt,
  endAt,
});

export const reference: ReferenceTo<typeof routes> = {
  about: 'The sleep diary, nights that devices recorded, and the sleep window of sleep restriction therapy.',
  examples: {
    putSleepEntry: {
      params: { date },
      body: { ...written, recordedAt: '2026-11-21T06:50:00.000Z' },
      answer: { ...entry, outcome: 'stored' },
    },
    readSleepEntry: { params: { date }, answer: entry },
    listSleepEntries: { query: day, answer: entries },
    postSleepEpisodes: {
      body: {
        episodes: [
          {
            source: 'healthkit',
            sourceId: 'night-of-the-watch',
            zone: 'Atlantic/Reykjavik',
            startAt: '2026-11-20T23:10:00.000Z',
            endAt: '2026-11-21T06:40:00.000Z',
            stages: [
              stage('awake', '2026-11-20T23:10:00.000Z', '2026-11-20T23:40:00.000Z'),
              stage('asleepCore', '2026-11-20T23:40:00.000Z', '2026-11-21T03:40:00.000Z'),
              stage('asleepDeep', '2026-11-21T03:40:00.000Z', '2026-11-21T04:40:00.000Z'),
              stage('asleepREM', '2026-11-21T04:40:00.000Z', '2026-11-21T06:40:00.000Z'),
            ],
          },
        ],
      },
      answer: {
        items: [{ source: 'healthkit', sourceId: 'night-of-the-watch', date, outcome: 'stored' }],
        metadata: { limit: 100, count: 1, hasMore: false, nextCursor: null },
      },
    },
    readSleepSummary: { query: day, answer: summary },
    readSleepWindow: { answer: state },
    listSleepEntriesOfPatient: { params: { userId }, query: day, answer: entries },
    readSleepSummaryOfPatient: { params: { userId }, query: { ...day, by: 'week' }, answer: summary },
    readSleepReportOfPatient: {
      params: { userId },
      query: day,
      answer: { ...day, summary, window: { ...state, proposal: { proposalId, ...prescription } }, entries: [entry] },
    },
    readSleepWindowOfPatient: {
      params: { userId },
      answer: { ...state, proposal: { proposalId, ...prescription } },
    },
    releaseSleepWindow: {
      params: { userId },
      body: { proposalId, confirmNotAnswered: ['ess'] },
      answer: {
        sequence: 1,
        from: '2026-11-22',
        releasedAt: '2026-11-22T07:15:02.310Z',
        by: 'physician',
        ...prescription,
      },
    },
    releaseOwnSleepWindow: {
      body: { proposalId },
      answer: {
        sequence: 1,
        from: '2026-11-22',
        releasedAt: '2026-11-22T07:15:02.310Z',
        by: 'physician',
        ...prescription,
      },
    },
    withdrawSleepWindow: {
      params: { userId },
      body: { sequence: 1 },
      answer: { sequence: 1, withdrawnAt: '2026-11-22T07:15:04.118Z' },
    },
    deleteSleepEntry: {
      params: { date },
      answer: {
        date,
        deleted: true,
        updatedAt: '2026-11-22T07:15:05.871Z',
        replacedAt: '2026-11-21T06:50:00.000Z',
        outcome: 'stored',
      },
    },
  },
};
