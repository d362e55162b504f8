import 'reflect-metadata';
import { runService } from '#service';
import { fetcher } from './fetcher.ts';

await runService(fetcher);
