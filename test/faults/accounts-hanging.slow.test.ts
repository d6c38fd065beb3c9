import { meetOutages } from './outages.ts';

meetOutages('hang');
