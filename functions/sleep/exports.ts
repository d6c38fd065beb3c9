export { readEntries } from './stores/entry-rows.ts';
export { readEpisodes } from './stores/episode-rows.ts';
export { eraseSleepWindows } from './stores/erase-windows.ts';
export { readNewestDiary, readNewestEntries, readNewestEpisodes, readNewestWindows } from './stores/newest-rows.ts';
export { readWindowFacts } from './stores/window-facts.ts';
