import { meetOutages } from './outages.ts';

meetOutages('throttle');
