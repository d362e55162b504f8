import 'reflect-metadata';
import { runService } from '#runtime';
import { publisher } from './publisher.ts';

await runService(publisher);
