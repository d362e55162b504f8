import 'reflect-metadata';
import { runService } from '#runtime';
import { fetcher } from './fetcher.ts';

await runService(fetcher);
