import 'reflect-metadata';
import { runService } from '#service';
import { publisher } from './publisher.ts';

await runService(publisher);
