"""The addresses of long work, inside a tenant."""

from django.urls import path

from cruxweb import job_views

app_name = "jobs"
urlpatterns = [
    path("", job_views.job_list, name="list"),
    path("<int:number>/", job_views.job, name="job"),
    path("<int:number>/cancel/", job_views.cancel, name="cancel"),
    path("<int:number>/retry/", job_views.retry, name="retry"),
    path("<int:number>/set-aside/", job_views.set_aside, name="set_aside"),
    path("timetable/", job_views.timetable, name="timetable"),
    path("timetable/<slug:kind>/run/", job_views.run_now, name="run_now"),
]
