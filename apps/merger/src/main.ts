import 'reflect-metadata';
import { runService } from '#runtime';
import { merger } from './merger.ts';

await runService(merger);
