import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program that sends requests as the HTTP client of its language does by default. */
interface HttpClient {
  readonly name: string;
  /** Shows whether the program is on this machine. */
  readonly probe: readonly string[];
  /** The source to run, if there is one. */
  readonly file?: { readonly name: string; readonly text: string };
  /** The command that sends a request of this method to each URL, one after the other. */
  readonly command: (file: string, method: string, urls: readonly string[]) => readonly string[];
}

const python = `
import sys, urllib.request
for url in sys.argv[2:]:
    with urllib.request.urlopen(urllib.request.Request(url, method=sys.argv[1])) as response:
        response.read()
`;

const go = `
package main

import (
	"net/http"
	"os"
)

func main() {
	for _, url := range os.Args[2:] {
		request, err := http.NewRequest(os.Args[1], url, nil)
		if err != nil {
			panic(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			panic(err)
		}
		response.Body.Close()
	}
}
`;

const java = `
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

class Client {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int number = 1; number < arguments.length; number += 1) {
      var uri = new URI(arguments[number]).normalize();
      var request = HttpRequest.newBuilder(uri).method(arguments[0], BodyPublishers.noBody()).build();
      client.send(request, BodyHandlers.discarding());
    }
  }
}
`;

const clients: readonly HttpClient[] = [
  {
    name: 'curl',
    probe: ['curl', '--version'],
    command: (_file, method, urls) => [
      'curl',
      '--silent',
      '--show-error',
      '--noproxy',
      '*',
      '--request',
      method,
      ...urls,
    ],
  },
  {
    name: 'python',
    probe: ['python3', '--version'],
    file: { name: 'client.py', text: python },
    command: (file, method, urls) => ['python3', file, method, ...urls],
  },
  {
    name: 'go',
    probe: ['go', 'version'],
    file: { name: 'client.go', text: go },
    command: (file, method, urls) => ['go', 'run', file, method, ...urls],
  },
  {
    name: 'java',
    probe: ['java', '--version'],
    file: { name: 'Client.java', text: java },
    command: (file, method, urls) => ['java', file, method, ...urls],
  },
];

/** Sends a request of a method to each URL. */
export type SendEach = (method: string, urls: readonly string[]) => Promise<void>;

/** Those of curl, Python, Go and Java that are on this machine, and `fetch`, which always is. */
export async function httpClients(): Promise<{ readonly name: string; readonly send: SendEach }[]> {
  const found = await Promise.all(
    clients.map(async (client) =>
      (await run(client.probe)).failed ? [] : [{ name: client.name, send: sender(client) }],
    ),
  );
  const byFetch: SendEach = async (method, urls) => {
    for (const url of urls) await (await fetch(url, { method })).arrayBuffer();
  };
  return [{ name: 'fetch', send: byFetch }, ...found.flat()];
}

function sender({ name, file, command }: HttpClient): SendEach {
  return async (method, urls) => {
    const folder = await mkdtemp(join(tmpdir(), 'feedmesh-http-client-'));
    const path = join(folder, file?.name ?? '');
    try {
      if (file) await writeFile(path, file.text);
      const { failed, output } = await run(command(path, method, urls));
      if (failed) throw new Error(`${name} failed: ${output}`);
    } finally {
      await rm(folder, { recursive: true });
    }
  };
}

async function run([program = '', ...values]: readonly string[]): Promise<{
  readonly failed: boolean;
  readonly output: string;
}> {
  return new Promise((resolve) => {
    const child = spawn(program, values, { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
    });
    child.on('error', (error) => resolve({ failed: true, output: String(error) }));
    child.on('close', (code) => resolve({ failed: code !== 0, output }));
  });
}
