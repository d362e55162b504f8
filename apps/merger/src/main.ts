import 'reflect-metadata';
import { runService } from '#service';
import { merger } from './merger.ts';

await runService(merger);
