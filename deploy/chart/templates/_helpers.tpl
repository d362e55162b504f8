{{- define "feedmesh.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "feedmesh.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "feedmesh.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "feedmesh.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "feedmesh.selector" -}}
app.kubernetes.io/name: {{ include "feedmesh.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "feedmesh.labels" -}}
app.kubernetes.io/name: {{ include "feedmesh.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "feedmesh.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "feedmesh.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "feedmesh.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "feedmesh.databaseSecret" -}}
{{- .Values.databases.existingSecret | default (printf "%s-databases" (include "feedmesh.fullname" .)) -}}
{{- end -}}

{{/* The number of pods: that of the cluster, within the limits, if an autoscaler decides. Left out if an
autoscaler decides and there is no cluster to ask, as in `helm template`: whoever applies the result would
undo what the autoscaler did. */}}
{{- define "feedmesh.replicas" -}}
{{- $service := index .root.Values .name -}}
{{- $scaling := $service.autoscaling -}}
{{- if not $scaling.enabled -}}
{{- $service.replicas -}}
{{- else -}}
{{- $found := lookup "apps/v1" "Deployment" .root.Release.Namespace "" -}}
{{- if $found -}}
{{- $replicas := int $scaling.minReplicas -}}
{{- $deployment := printf "%s-%s" (include "feedmesh.fullname" .root) .name -}}
{{- range $found.items -}}
{{- if eq .metadata.name $deployment -}}{{- $replicas = max $replicas (min .spec.replicas $scaling.maxReplicas) -}}{{- end -}}
{{- end -}}
{{- $replicas -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The names that the gateway's service has within the cluster. */}}
{{- define "feedmesh.serviceNames" -}}
{{- $name := printf "%s-gateway" (include "feedmesh.fullname" .) -}}
{{- $space := .Release.Namespace -}}
{{- printf "%s,%s.%s,%s.%s.svc,%s.%s.svc.cluster.local" $name $name $space $name $space $name $space -}}
{{- end -}}

{{/* How the gateway is reached: with TLS or without. */}}
{{- define "feedmesh.scheme" -}}
{{- ternary "https" "http" (ne .Values.tls.secret "") -}}
{{- end -}}

{{/* The address of the gateway's service within the cluster. */}}
{{- define "feedmesh.serviceUrl" -}}
{{- $scheme := include "feedmesh.scheme" . -}}
{{- $port := int .Values.service.port -}}
{{- printf "%s://%s-gateway.%s.svc" $scheme (include "feedmesh.fullname" .) .Release.Namespace -}}
{{- if ne $port (ternary 443 80 (eq $scheme "https")) -}}{{- printf ":%d" $port -}}{{- end -}}
{{- end -}}

{{/* The settings of a service, as the data of its ConfigMap: those of the chart, of all, and its own. */}}
{{- define "feedmesh.settings" -}}
{{- $values := .root.Values -}}
{{- $settings := dict "HOST" "0.0.0.0" "PORT" "8080" "HEALTH_PORT" "8081" -}}
{{- $_ := set $settings "SHUTDOWN_GRACE_SECONDS" $values.shutdownGraceSeconds -}}
{{- $_ := set $settings "PUBLIC_URL" ($values.publicUrl | default (include "feedmesh.serviceUrl" .root)) -}}
{{- if $values.databases.caSecret -}}{{- $_ := set $settings "NODE_EXTRA_CA_CERTS" "/etc/feedmesh/ca/ca.crt" -}}{{- end -}}
{{- range $server := list "redis" "mongodb" -}}
{{- $tls := index $values.databases (printf "%sTls" $server) -}}
{{- if $tls.secret -}}
{{- range $key, $name := dict "caKey" "CA" "certKey" "CERT" "keyKey" "KEY" -}}
{{- with index $tls $key -}}
{{- $_ := set $settings (printf "%s_TLS_%s" (upper $server) $name) (printf "/etc/feedmesh/%s-tls/%s" $server .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if eq .name "gateway" -}}
{{- $_ := set $settings "SHUTDOWN_DELAY_SECONDS" $values.shutdownDelaySeconds -}}
{{- $_ := set $settings "AUTH" (ternary "required" "none" $values.auth.required) -}}
{{- $_ := set $settings "AUTH_METRICS" "trusted" -}}
{{- if $values.tls.secret -}}
{{- $_ := set $settings "GATEWAY_TLS_CERT" "/etc/feedmesh/tls/tls.crt" -}}
{{- $_ := set $settings "GATEWAY_TLS_KEY" "/etc/feedmesh/tls/tls.key" -}}
{{- end -}}
{{- with $values.endpoint -}}{{- $_ := set $settings "FEEDMESH_ENDPOINT" . -}}{{- end -}}
{{- if $values.hosts -}}
{{- $_ := set $settings "GATEWAY_HOSTS" (printf "%s,%s" (join "," $values.hosts) (include "feedmesh.serviceNames" .root)) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .name "fetcher") $values.allowNetworks -}}
{{- $_ := set $settings "FETCH_ALLOW_NETWORKS" (join "," $values.allowNetworks) -}}
{{- end -}}
{{- $service := index $values .name -}}
{{- with $service.nodeOptions -}}{{- $_ := set $settings "NODE_OPTIONS" . -}}{{- end -}}
{{- range $from := list $values.settings $service.settings -}}
{{- range $key, $value := $from -}}{{- $_ := set $settings $key $value -}}{{- end -}}
{{- end -}}
{{- range $key := keys $settings | sortAlpha }}
{{ $key }}: {{ get $settings $key | toString | quote }}
{{- end -}}
{{- end -}}

{{/* The queues whose jobs a service takes. */}}
{{- define "feedmesh.queues" -}}
{{- get (dict "fetcher" "fetch download" "merger" "merge mirror finalize delete" "publisher" "publish" "gateway" "") . -}}
{{- end -}}

{{/* Refuses values that contradict each other. */}}
{{- define "feedmesh.check" -}}
{{- $d := .Values.databases -}}
{{- if and .Values.auth.required (not .Values.auth.existingSecret) -}}
{{- fail "Set auth.existingSecret to a secret with AUTH_SECRETS, AUTH_ADMIN_KEY or both, or auth.required to false, with which whoever reaches the gateway may do everything." -}}
{{- end -}}
{{- if and (not $d.existingSecret) (or (not $d.redisUrl) (not $d.mongodbUri)) -}}
{{- fail "Set databases.existingSecret to a secret with REDIS_URL and MONGODB_URI, or both databases.redisUrl and databases.mongodbUri." -}}
{{- end -}}
{{- if and $d.existingSecret (or $d.redisUrl $d.mongodbUri) -}}
{{- fail "databases.existingSecret has the addresses: leave databases.redisUrl and databases.mongodbUri empty." -}}
{{- end -}}
{{- range $server := list "redisTls" "mongodbTls" -}}
{{- $tls := index $d $server -}}
{{- if and (eq $tls.secret "") (or $tls.certKey $tls.keyKey) -}}
{{- fail (printf "databases.%s.secret must name the secret with certKey and keyKey." $server) -}}
{{- end -}}
{{- if ne (eq $tls.certKey "") (eq $tls.keyKey "") -}}
{{- fail (printf "databases.%s.certKey and keyKey must be set together." $server) -}}
{{- end -}}
{{- if and $tls.secret (not $tls.caKey) (not $tls.certKey) -}}
{{- fail (printf "databases.%s.secret needs caKey, or certKey and keyKey." $server) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "gateway" "fetcher" "merger" "publisher" -}}
{{- with (index $.Values $name).autoscaling -}}
{{- if and .enabled (lt (int .maxReplicas) (int .minReplicas)) -}}
{{- fail (printf "%s.autoscaling.maxReplicas must not be below minReplicas (%d); got %d." $name (int .minReplicas) (int .maxReplicas)) -}}
{{- end -}}
{{- if and .enabled (eq (int .minReplicas) 0) (not (and (eq $name "merger") $.Values.keda.enabled)) -}}
{{- fail (printf "%s.autoscaling.minReplicas must be at least 1; only mergers can be scaled to 0, with keda.enabled." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.tls.secret .Values.publicUrl (not (hasPrefix "https:" (lower .Values.publicUrl))) -}}
{{- fail "publicUrl must be an https URL if tls.secret is set." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.hosts) -}}
{{- fail "ingress.hosts must name at least one host if ingress.enabled is set." -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.parentRefs must name at least one Gateway if httpRoute.enabled is set." -}}
{{- end -}}
{{- end -}}
